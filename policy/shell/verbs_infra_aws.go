package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// awsSmall are operations that delete something that is no data of its own.
var awsSmall = valued(`delete-tags delete-message delete-message-batch delete-item delete-object delete-alias delete-rule delete-metric-filter delete-alarms delete-dashboards
	delete-launch-template-versions delete-key-pair delete-security-group delete-route delete-listener delete-target-group delete-change-set delete-layer-version
	deregister-targets deregister-task-definition deregister-container-instance delete-schedule delete-event-source-mapping remove-tags remove-targets delete-web-acl delete-topic
	delete-network-interface delete-subnet delete-login-profile delete-access-key delete-invalidation delete-log-stream`)

// awsLocal reports whether a service is not Amazon's but one that stands for it
// on this machine or beside it.
func (a *act) awsLocal(service, endpoint string) bool {
	if endpoint == "" {
		endpoint, _ = a.variable("AWS_ENDPOINT_URL_" + strings.ToUpper(strings.TrimSuffix(service, "api")))
	}
	if endpoint == "" {
		endpoint, _ = a.variable("AWS_ENDPOINT_URL")
	}
	return endpoint != "" && !unknown(endpoint) && isInside(hostOf(endpoint))
}

func aws(a *act) {
	l := cutLine(a.Args, valued("profile region output endpoint-url query ca-bundle cli-read-timeout cli-connect-timeout color"), gnu)
	service, does := l.operand(0), l.operand(1)
	if l.exact("dryrun", "dry-run") || does == "help" || l.exact("generate-cli-skeleton") {
		return
	}
	switch service {
	case "redshift-data", "rds-data", "athena", "dynamodb", "timestream-query", "qldb-session", "redshift":
		a.sqlFlags()
	}
	rest := l.from(2)
	about := strings.TrimSpace(service + " " + does + " " + strings.Join(rest, " "))
	local := a.awsLocal(service, l.value("endpoint-url"))
	switch service {
	case "s3":
		if does == "rb" || does == "rm" && local {
			if !local {
				a.destroys(strings.Join(rest, " "), true)
			}
			return
		}
		a.storage(does, awsOperands(rest), l.has("recursive"), l.exact("delete"))
		if acl := wordAfter(a.Args, "--acl"); strings.HasPrefix(acl, "public") {
			a.does(effect.Grant, "public access to "+lastOf(rest))
		}
		return
	case "configure":
		a.awsConfigure(l.from(1))
		return
	}
	if local {
		return
	}
	all := strings.Join(a.Args, " ")
	switch {
	case a.awsOpens(service, does, about, all):
	case service == "s3api" && (does == "put-bucket-acl" || does == "put-object-acl") && strings.Contains(all, "public"), does == "put-bucket-policy",
		service == "iam" && (does == "create-access-key" || does == "create-login-profile" || does == "update-login-profile" || does == "create-user" || does == "create-policy-version" || does == "set-default-policy-version" || does == "delete-user-permissions-boundary" || does == "add-user-to-group" || does == "update-assume-role-policy" ||
			strings.HasPrefix(does, "attach-") || strings.HasPrefix(does, "put-") && strings.HasSuffix(does, "-policy")),
		service == "ec2-instance-connect" && strings.HasPrefix(does, "send-"), service == "ssm" && does == "modify-document-permission", service == "lightsail" && does == "import-key-pair", service == "iam" && does == "upload-ssh-public-key",
		does == "add-permission", does == "authorize-security-group-ingress" && strings.Contains(all, "0.0.0.0/0"), does == "modify-image-attribute", does == "modify-snapshot-attribute":
		a.does(effect.Grant, about)
	case does == "delete-public-access-block", does == "stop-logging", does == "delete-trail", does == "delete-detector", does == "delete-flow-logs", does == "stop-configuration-recorder", does == "disable-security-hub", does == "deactivate-mfa-device", does == "delete-virtual-mfa-device", does == "delete-config-rule", does == "leave-organization", does == "disable-macie", does == "put-event-selectors":
		a.does(effect.Disarm, about)
	case does == "schedule-key-deletion", does == "close-account", does == "delete-table", strings.HasPrefix(does, "delete-"), strings.HasPrefix(does, "terminate-"),
		strings.HasPrefix(does, "batch-delete"), strings.HasPrefix(does, "purge-"), strings.HasPrefix(does, "deregister-"), does == "release-hosts":
		a.destroys(about, !awsSmall[does])
	case does == "put-bucket-lifecycle-configuration", does == "put-bucket-lifecycle":
		if rules := strings.Map(unspaced, all); expiresSoon(rules) {
			a.destroys("objects of "+wordAfter(a.Args, "--bucket"), true)
		}
	case strings.HasPrefix(does, "stop-"):
		a.halts(about)
	case service == "cloudformation" && (does == "deploy" || does == "create-stack" || does == "update-stack" || does == "execute-change-set"), does == "update-service", does == "run-instances", does == "update-function-code":
		a.applies(about)
	case service == "s3api" && does == "put-object", service == "sns" && does == "publish", service == "sqs" && strings.HasPrefix(does, "send-message"), strings.HasPrefix(service, "ses") && strings.HasPrefix(does, "send-"):
		if body := wordAfter(a.Args, "--body"); body != "" {
			a.sendsTo(about, body)
		} else {
			a.sendsTo(about)
		}
	case service == "ssm" && does == "send-command":
		parameters := wordAfter(a.Args, "--parameters")
		if _, commands, ok := strings.Cut(parameters, "commands="); ok {
			a.remotely(strings.Trim(commands, `[]"'`))
		} else {
			a.doubt(Variable)
		}
	}
}

// expiresSoon reports whether rules for the life of objects give up all of a bucket
// within days.
func expiresSoon(rules string) bool {
	_, expires, ok := strings.Cut(rules, `"Expiration":{"Days":`)
	if !ok {
		return strings.Contains(rules, `"Expiration":{"Date":`) && everyObject(rules)
	}
	days := 0
	for days < len(expires) && '0' <= expires[days] && expires[days] <= '9' {
		days++
	}
	return days == 1 && expires[0] < '8' && everyObject(rules)
}

func everyObject(rules string) bool {
	return strings.Contains(rules, `"Prefix":""`) || strings.Contains(rules, `"Filter":{}`) || !strings.Contains(rules, `"Prefix"`) && !strings.Contains(rules, `"Filter"`)
}

// awsOperands leaves the values of flags out that follow the operands.
func awsOperands(words []string) []string {
	var list []string
	for _, w := range words {
		if isBucket(w) || len(list) < 2 {
			list = append(list, w)
		}
	}
	return list
}

// wordAfter is the word after another one.
func wordAfter(words []string, name string) string {
	if i := slices.Index(words, name); i >= 0 && i+1 < len(words) {
		return words[i+1]
	}
	for _, w := range words {
		if value, ok := strings.CutPrefix(w, name+"="); ok {
			return value
		}
	}
	return ""
}
