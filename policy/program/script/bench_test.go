package script

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/program/library"
)

// BenchmarkRead reads programs as they come every day.
func BenchmarkRead(b *testing.B) {
	for _, p := range []struct {
		name     string
		language library.Language
		program  string
	}{
		{"python/lines", library.Python, strings.Repeat("print(sum(range(10)), 'ok')\n", 140)},
		{"python/orders", library.Python, pythonOrders},
		{"perl/log", library.Perl, perlLog},
		{"ruby/release", library.Ruby, rubyRelease},
		{"php/report", library.PHP, phpReport},
	} {
		b.Run(p.name, func(b *testing.B) {
			b.SetBytes(int64(len(p.program)))
			b.ReportAllocs()
			for b.Loop() {
				Read(p.language, p.program)
			}
		})
	}
}

const pythonOrders = `#!/usr/bin/env python3
"""Reads the orders of a shop and writes what was sold, by month and by customer."""
import argparse
import csv
import json
import sys
from collections import Counter, defaultdict
from datetime import datetime, timedelta
from pathlib import Path

DATA = Path("data")
OUT = DATA / "reports"
RATES = {"EUR": 1.0, "USD": 0.92, "GBP": 1.17, "CHF": 1.04}
KNOWN = ("paid", "sent", "returned", "cancelled")


class Order:
    """One line of the file."""

    def __init__(self, number, customer, total, currency, state, when):
        self.number = number
        self.customer = customer.strip().title()
        self.total = float(total) * RATES.get(currency, 1.0)
        self.state = state.lower()
        self.when = datetime.strptime(when, "%Y-%m-%d %H:%M")

    @property
    def month(self):
        return self.when.strftime("%Y-%m")

    def late(self, now, days=14):
        return self.state == "paid" and now - self.when > timedelta(days=days)

    def __repr__(self):
        return f"<Order {self.number} of {self.customer!r}: {self.total:.2f} ({self.state})>"


def load(path):
    orders, wrong = [], 0
    with open(path, newline="", encoding="utf-8") as source:
        for n, row in enumerate(csv.DictReader(source, delimiter=";")):
            try:
                order = Order(row["id"], row["customer"], row["total"], row["currency"], row["state"], row["date"])
            except (KeyError, ValueError) as err:
                print(f"line {n + 2}: {err}", file=sys.stderr)
                wrong += 1
                continue
            if order.state not in KNOWN:
                wrong += 1
            elif order.total > 0:
                orders.append(order)
    return orders, wrong


def by_month(orders):
    sums = defaultdict(float)
    for o in orders:
        if o.state in ("paid", "sent"):
            sums[o.month] += o.total
    return {month: round(total, 2) for month, total in sorted(sums.items())}


def by_customer(orders, most=10):
    sums = Counter()
    for o in orders:
        sums[o.customer] += -o.total if o.state == "returned" else o.total
    return [{"customer": name, "total": round(total, 2)} for name, total in sums.most_common(most)]


def median(values):
    values = sorted(values)
    if not values:
        return 0.0
    middle = len(values) // 2
    if len(values) % 2:
        return values[middle]
    return (values[middle - 1] + values[middle]) / 2


def report(orders, wrong, now):
    totals = [o.total for o in orders if o.state != "cancelled"]
    return {
        "made": now.isoformat(timespec="seconds"),
        "orders": len(orders),
        "wrong": wrong,
        "sum": round(sum(totals), 2),
        "median": median(totals),
        "months": by_month(orders),
        "customers": by_customer(orders),
        "late": [o.number for o in orders if o.late(now)],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", default=str(DATA / "orders.csv"))
    parser.add_argument("--since", type=lambda s: datetime.strptime(s, "%Y-%m-%d"))
    parser.add_argument("--quiet", action="store_true")
    args = parser.parse_args()
    orders, wrong = load(args.file)
    if args.since:
        orders = [o for o in orders if o.when >= args.since]
    result = report(orders, wrong, datetime.now())
    OUT.mkdir(parents=True, exist_ok=True)
    target = OUT / f"{datetime.now():%Y-%m-%d}.json"
    target.write_text(json.dumps(result, indent=2, sort_keys=True) + "\n")
    if not args.quiet:
        for month, total in result["months"].items():
            print("%-8s %10.2f  %s" % (month, total, "#" * int(total / 1000)))
        print(len(orders), "orders,", wrong, "wrong, in", target)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
`

const perlLog = `#!/usr/bin/perl
# Counts the requests of a web server by address, page and hour.
use strict;
use warnings;
use Getopt::Long;
use List::Util qw(sum max);

my ($top, $min, $quiet) = (10, 5, 0);
GetOptions("top=i" => \$top, "min=i" => \$min, "quiet" => \$quiet) or die "usage: $0 [--top n] file\n";
my $file = shift @ARGV || "access.log";
my (%address, %page, %hour, %status);
my ($lines, $bad, $bytes) = (0, 0, 0);

open(my $in, '<', $file) or die "cannot open $file: $!\n";
while (my $line = <$in>) {
    chomp $line;
    $lines++;
    next if $line =~ /^\s*(#|$)/;
    unless ($line =~ m{^(\S+) \S+ \S+ \[(\d+/\w+/\d+):(\d\d)[^\]]*\] "(\w+) ([^ "]+)[^"]*" (\d{3}) (\d+|-)}) {
        $bad++;
        next;
    }
    my ($ip, $day, $h, $method, $url, $code, $size) = ($1, $2, $3, $4, $5, $6, $7);
    $url =~ s/\?.*$//;
    $url =~ tr/A-Z/a-z/;
    $address{$ip}{count}++;
    $address{$ip}{bytes} += $size eq '-' ? 0 : $size;
    $page{"$method $url"}++;
    $hour{$h}++;
    $status{substr($code, 0, 1) . "xx"}++;
    $bytes += $size unless $size eq '-';
}
close($in);

sub show {
    my ($title, $counts) = @_;
    print "\n$title\n", "-" x length($title), "\n";
    my @names = sort { $counts->{$b} <=> $counts->{$a} || $a cmp $b } keys %$counts;
    for my $name (@names[0 .. ($#names < $top ? $#names : $top - 1)]) {
        last if $counts->{$name} < $min;
        printf "%8d  %s\n", $counts->{$name}, $name;
    }
}

unless ($quiet) {
    printf "%d lines, %d bad, %.1f MB\n", $lines, $bad, $bytes / 1024 / 1024;
    show("Pages", \%page);
    show("Status", \%status);
    show("Addresses", { map { $_ => $address{$_}{count} } keys %address });
    my $most = max(values %hour) || 1;
    foreach my $h (sort keys %hour) {
        print "$h:00 ", "#" x int(60 * $hour{$h} / $most), " $hour{$h}\n";
    }
    print "mean: ", sum(values %hour) / (scalar(keys %hour) || 1), "\n";
}
exit($bad > $lines / 2 ? 1 : 0);
`

const rubyRelease = `#!/usr/bin/env ruby
# Writes the notes of a release from the entries of a directory.
require 'json'
require 'time'
require 'optparse'

Entry = Struct.new(:title, :kind, :author, :number, :time) do
  def line
    "- #{title} (##{number}, #{author})"
  end

  def breaking?
    kind == :breaking || title.start_with?('!')
  end
end

KINDS = { breaking: 'Breaking changes', feature: 'New', fix: 'Fixed', docs: 'Documentation' }.freeze
options = { dir: 'changes', out: 'NOTES.md', since: nil }

OptionParser.new do |opts|
  opts.banner = 'usage: notes [options] version'
  opts.on('-d', '--dir DIR', 'where the entries are') { |v| options[:dir] = v }
  opts.on('-o', '--out FILE', 'what is written') { |v| options[:out] = v }
  opts.on('-s', '--since DATE') { |v| options[:since] = Time.parse(v) }
end.parse!

version = ARGV.first || '0.0.0'
abort "not a version: #{version}" unless version =~ /\A\d+\.\d+\.\d+\z/

entries = Dir.glob(File.join('changes', '*.json')).map do |path|
  data = JSON.parse(File.read(path), symbolize_names: true)
  kind = data.fetch(:kind, 'fix').to_sym
  warn "#{path}: no such kind: #{kind}" unless KINDS.key?(kind)
  Entry.new(data[:title].strip, kind, data[:author] || 'unknown', data[:number].to_i, Time.parse(data[:time]))
end

entries.select! { |e| e.time >= options[:since] } if options[:since]
entries.sort_by! { |e| [KINDS.keys.index(e.kind) || 99, -e.number] }
groups = entries.group_by(&:kind)

notes = ["# #{version} (#{Time.now.strftime('%Y-%m-%d')})", '']
KINDS.each do |kind, title|
  list = groups[kind]
  next if list.nil? || list.empty?

  notes << "## #{title}" << ''
  list.each { |e| notes << e.line }
  notes << ''
end

authors = entries.map(&:author).tally.sort_by { |name, n| [-n, name.downcase] }
unless authors.empty?
  names = authors.map { |name, n| n > 1 ? "#{name} (#{n})" : name }
  notes << "Thanks to #{names[0..-2].join(', ')} and #{names.last}."
end

old = File.exist?('NOTES.md') ? File.read('NOTES.md') : ''
File.write('NOTES.md', notes.join("\n") + "\n" + old)
puts "#{entries.size} entries, #{entries.count(&:breaking?)} breaking"
exit(entries.any? ? 0 : 1)
`

const phpReport = `<?php
declare(strict_types=1);

namespace App\Report;

use DateTimeImmutable;
use InvalidArgumentException;

final class Row
{
    public function __construct(public string $name, public float $price, public int $count, public ?string $group = null)
    {
        if ($price < 0 || $count < 0) {
            throw new InvalidArgumentException("wrong row: $name");
        }
    }

    public function total(float $tax = 0.19): float
    {
        return round($this->price * $this->count * (1 + $tax), 2);
    }
}

function load(string $path): array
{
    $rows = [];
    $in = fopen($path, 'r');
    if ($in === false) {
        return $rows;
    }
    $head = fgetcsv($in, 0, ';');
    while (($fields = fgetcsv($in, 0, ';')) !== false) {
        $line = array_combine($head, $fields);
        try {
            $rows[] = new Row(trim($line['name']), (float) $line['price'], (int) $line['count'], $line['group'] ?? null);
        } catch (InvalidArgumentException $e) {
            error_log(sprintf('%s: %s', $path, $e->getMessage()));
        }
    }
    fclose($in);
    return $rows;
}

$rows = load(__DIR__ . '/stock.csv');
usort($rows, fn($a, $b) => $b->total() <=> $a->total() ?: strcmp($a->name, $b->name));
$groups = [];
foreach ($rows as $i => $row) {
    $key = strtolower($row->group ?? 'other');
    $groups[$key]['rows'][] = $row;
    $groups[$key]['sum'] = ($groups[$key]['sum'] ?? 0) + $row->total();
}
ksort($groups);
$names = array_map(fn($r) => htmlspecialchars($r->name), array_slice($rows, 0, 5));
$made = (new DateTimeImmutable('now'))->format('Y-m-d H:i');
?>
<html><body>
<h1>Stock of <?= $made ?></h1>
<p>Most: <?= implode(', ', $names) ?></p>
<?php foreach ($groups as $name => $group): ?>
  <h2><?= ucfirst($name) ?> (<?= count($group['rows']) ?>)</h2>
  <table>
  <?php foreach ($group['rows'] as $row) { ?>
    <tr><td><?= htmlspecialchars($row->name) ?></td><td><?= number_format($row->total(), 2, ',', '.') ?></td></tr>
  <?php } ?>
  </table>
  <p><?php echo "Sum of {$name}: " . number_format($group['sum'], 2) . " EUR, {$group['sum']}"; ?></p>
<?php endforeach; ?>
<?php
file_put_contents('/tmp/report.json', json_encode(['made' => $made, 'groups' => array_keys($groups)], JSON_PRETTY_PRINT));
printf("<p>%d rows</p>", count($rows));
?>
</body></html>
`
