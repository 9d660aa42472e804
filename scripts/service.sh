#!/usr/bin/env bash
# Usage: scripts/service.sh
#
# Installs the gateway as a service under a real systemd, for the machine and for a user, and tries it: it runs, it
# blocks, it comes back after a kill, it reloads, and it is gone when it is removed. This systemd has namespaces and an
# overlay of the file system of its own, so nothing of the machine changes. Where that is not possible it says why and
# ends well.
set -eu -o pipefail
cd "$(dirname "$0")/.."

skip() { echo "service: skipped: $*"; exit 0; }
init=/lib/systemd/systemd
[ -x "$init" ] || skip "there is no systemd here (apt-get install systemd)"
[ "$(id -u)" -eq 0 ] || skip "namespaces with a systemd need root"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/sluice" ./cmd/sluice

# What runs as a unit of the systemd, when it has started.
cat >"$work/inside" <<'INSIDE'
#!/bin/bash
set -eu -o pipefail
export HOME=/root
ip link set lo up

# awaited NAME COMMAND... waits until a command succeeds.
awaited() {
	local name=$1
	shift
	for _ in $(seq 600); do
		if "$@" >/dev/null 2>&1; then return; fi
		sleep 0.2
	done
	echo "FAILED: $name"
	systemctl status sluice.service --no-pager || true
	"$@" || exit 1
}
# try ACCOUNT COMMAND... tries a service: ACCOUNT is who installs it, the rest how systemctl reaches it.
try() {
	local account=$1 pid
	shift
	local flags=() as=()
	if [ "$account" = root ]; then flags=(--system); else as=(runuser -u "$account" -- env "HOME=/home/$account" "XDG_RUNTIME_DIR=/run/user/$(id -u "$account")"); fi
	pid() { "${as[@]}" "$@" show -p MainPID --value sluice.service; }
	"${as[@]}" sluice service install "${flags[@]}"
	awaited "the gateway of $account blocks" "${as[@]}" bash -c 'sluice doctor | grep ^PROTECTED:'
	"${as[@]}" sluice service status "${flags[@]}"
	pid=$(pid "$@")
	kill -9 "$pid"
	back() { [ "$(pid "$@")" != "$pid" ] && "${as[@]}" bash -c 'sluice doctor | grep ^PROTECTED:'; }
	awaited "the gateway of $account comes back" back "$@"
	"${as[@]}" "$@" reload sluice.service
	awaited "it runs after a reload" "${as[@]}" sluice service status "${flags[@]}"
	"${as[@]}" sluice service remove "${flags[@]}"
	if "${as[@]}" sluice service status "${flags[@]}"; then echo "FAILED: it runs after it was removed"; exit 1; fi
	echo "ok: a service of $account"
}
try root systemctl
[ "$(stat -c '%U %a' /var/lib/sluice)" = "sluice 700" ] || { echo "FAILED: others can read the data of the service"; exit 1; }
useradd -m -d /home/ada ada
systemctl start "user@$(id -u ada).service"
try ada systemctl --user
echo done
INSIDE

# It makes the file system and becomes the systemd.
cat >"$work/boot" <<'BOOT'
set -eu
work=$1 root=$1/mnt/root
mount --make-rprivate /
mkdir "$work/mnt" && mount -t tmpfs tmpfs "$work/mnt" && mkdir "$work/mnt/upper" "$work/mnt/scratch" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/mnt/upper,workdir=$work/mnt/scratch" "$root"
mount -t proc proc "$root/proc" && mount --bind "$root/proc/sys" "$root/proc/sys" && mount -o remount,bind,ro "$root/proc/sys"
mount -t sysfs -o ro sysfs "$root/sys" && mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
for dir in run tmp dev root home; do mount -t tmpfs -o mode=755 tmpfs "$root/$dir"; done
chmod 1777 "$root/tmp"
for device in null zero full random urandom tty; do touch "$root/dev/$device" && mount --bind "/dev/$device" "$root/dev/$device"; done
mkdir "$root/dev/pts" "$root/dev/shm" && mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts" && ln -s pts/ptmx "$root/dev/ptmx"
mkdir "$root/srv/out" && mount --bind "$work/out" "$root/srv/out"
touch "$root/dev/console" && mount --bind "$work/out/console" "$root/dev/console"
install -m 755 "$work/sluice" "$root/usr/local/bin/sluice"
install -m 755 "$work/inside" "$root/usr/local/bin/inside"
units=$root/etc/systemd/system
# Nothing of the machine itself is set up or cleaned, and nothing else is started.
for unit in systemd-sysctl systemd-modules-load systemd-udevd systemd-udev-trigger systemd-networkd systemd-timesyncd systemd-tmpfiles-clean postgresql; do
	ln -sf /dev/null "$units/$unit.service"
done
mkdir -p "$units/multi-user.target.wants" && ln -s ../inside.service "$units/multi-user.target.wants/"
cat >"$units/inside.service" <<UNIT
[Unit]
After=multi-user.target
[Service]
Type=oneshot
TimeoutStartSec=10min
ExecStart=/usr/local/bin/inside
StandardOutput=file:/srv/out/log
StandardError=inherit
ExecStopPost=/bin/systemctl --no-block poweroff
UNIT
exec chroot "$root" /usr/bin/env -i container=oci "PATH=$PATH" /lib/systemd/systemd --system --log-target=console --unit=multi-user.target
BOOT

mkdir "$work/out"
touch "$work/out/console" "$work/out/log"
# The end of a systemd in a namespace is a signal, so the exit code says nothing; the log does.
timeout -k 10 900 unshare -m -p -f -n -u -i -C --kill-child bash "$work/boot" "$work" >"$work/out/boot" 2>&1 || true
cat "$work/out/log"
if grep -qx done "$work/out/log"; then
	echo "service: ok"
elif [ -s "$work/out/log" ]; then
	echo "service: failed, see above" >&2
	exit 1
else
	tail -n 5 "$work/out/boot" "$work/out/console"
	skip "no systemd could be started in namespaces here, see above"
fi
