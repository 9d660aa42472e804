package windows

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// ofClouds are what the names of things begin with that the cmdlets of a cloud
// or of a hypervisor keep.
var ofClouds = []string{
	"az", "gce", "gcs", "gcsql", "gcd", "gke", "gcp", // of Microsoft and Google
	"s3", "ec2", "rds", "ddb", "cfn", "eks", "ecs", "ecr", "efs", "ebs", "lmfunction", "kms", "r53", "elb", "asautoscaling", "asg", "sqs", "sns", "redshift", "rsc", "doccluster", "docdb", "ecc", "fsx", "bak", "glc", "kin", "cwl", "sec", "ssm", "iam", "eb",
	"vm", "vhd", "vdisk", "datastore", "datacenter", "virtualdisk", "storagepool", "cluster",
}

// smallParts are the things of which losing one is no loss of data.
var smallParts = []string{
	"tag", "context", "lock", "rule", "alert", "record", "assignment", "member", "deployment", "object", "blob", "message", "address", "keypair", "image", "alias", "job", "permission", "association", "attachment", "route", "listener", "interface", "securitygroup", "adapter", "dvddrive", "subnet", "policy", "version",
}

// removal is a cmdlet that deletes what somebody keeps elsewhere: what it is, and
// whether everything in it goes with it.
func (r *reader) removal(c *call) bool {
	noun, ok := strings.CutPrefix(c.name, "remove-")
	if !ok || c.isTrial() {
		return false
	}
	what := strings.TrimSpace(noun + " " + strings.Join(c.named().paths(), " "))
	_, each := r.vars["_"]
	many := c.in.text != "" || c.in.list != nil || strings.Contains(what, "*") || each && strings.Contains(what, "$")
	switch {
	case strings.HasPrefix(noun, "dbadatabase"), strings.HasPrefix(noun, "dbadbtable"), strings.HasPrefix(noun, "sqldatabase"), noun == "mdbcdata", noun == "mdbccollection", noun == "mdbcdatabase":
		r.add(effect.Effect{Verb: effect.Drop, Object: "database " + what, Wide: true, Scratch: effect.PurposeOf(what) == effect.ForTests})
	case strings.HasPrefix(noun, "ad"), strings.HasPrefix(noun, "mg"), strings.HasPrefix(noun, "msol"), strings.HasPrefix(noun, "mailbox"):
		r.add(effect.Effect{Verb: effect.Destroy, Object: what, Wide: many || c.has("recursive") && c.begins("rec") || strings.Contains(noun, "organizationalunit")})
	case slices.ContainsFunc(ofClouds, func(begin string) bool { return strings.HasPrefix(noun, begin) }):
		small := slices.ContainsFunc(smallParts, func(part string) bool { return strings.HasSuffix(noun, part) })
		r.add(effect.Effect{Verb: effect.Destroy, Object: what, Wide: many || !small})
	default:
		return false
	}
	return true
}

// named is what a cmdlet names: by the first parameter that is a name, or by the
// first word.
func (c *call) named() value {
	for i := range c.params {
		p := &c.params[i]
		switch {
		case strings.HasPrefix(p.name, "resourcegroup"): // where it is
		case strings.HasSuffix(p.name, "name"), strings.HasSuffix(p.name, "id"), strings.HasSuffix(p.name, "identifier"), begins("identity", p.name), p.name == "filter", p.name == "database":
			return p.value
		}
	}
	return c.param(0, "resourcegroupname")
}

// asks is a cmdlet that gives a query to a database: Invoke-Sqlcmd,
// Invoke-DbaQuery, Invoke-SqliteQuery.
func (r *reader) asks(c *call) bool {
	if !strings.HasPrefix(c.name, "invoke-") || !strings.HasSuffix(c.name, "sqlcmd") && !strings.HasSuffix(c.name, "query") && !strings.HasSuffix(c.name, "sqlcommand") {
		return false
	}
	if file, ok := c.get("inputfile", "file", "sqlfile"); ok {
		r.other([]value{literal("sqlcmd"), literal("-i"), file}, value{})
	}
	query := c.param(0, "query", "sql", "commandtext")
	if query.text == "" && query.list == nil {
		query = c.in
	}
	r.query(query)
	return true
}

// query gives a text of SQL to those who know it.
func (r *reader) query(v value) {
	for _, text := range v.paths() {
		r.other([]value{literal("sqlcmd"), literal("-Q"), literal(text)}, value{})
	}
}

// setMember notes what it means that a member of an object is set.
func (r *reader) setMember(member, v value) {
	if member.text == "$commandtext" {
		r.query(v)
	}
}
