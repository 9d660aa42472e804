package shell

import (
	"encoding/json"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// awsLocal reports whether a service is not Amazon's but one that stands for it
// on this machine or beside it.
func awsLocal(a *act, in *command.Reading) bool {
	endpoint := in.Value("endpoint-url")
	if words := in.Values("command"); endpoint == "" && len(words) > 0 {
		endpoint, _ = a.variable("AWS_ENDPOINT_URL_" + strings.ToUpper(strings.TrimSuffix(words[0], "api")))
	}
	if endpoint == "" {
		endpoint, _ = a.variable("AWS_ENDPOINT_URL")
	}
	return endpoint != "" && !unknown(endpoint) && isInside(hostOf(endpoint))
}

// awsObjects is aws s3 cp, mv, rm and sync.
func awsObjects(a *act, in *command.Reading) {
	does := in.Value("command")
	if does == "rm" && awsLocal(a, in) {
		return
	}
	a.storage(does, in.Values("object"), in.Has("recursive"), in.Has("delete"))
	if strings.HasPrefix(in.Value("acl"), "public") {
		a.does(effect.Grant, "public access to "+in.Value("object"))
	}
}

// awsConfigure: a setting by which aws runs a program whenever it is used.
func awsSetting(a *act, in *command.Reading) {
	for _, key := range in.Values("setting") {
		value := in.Value("value")
		switch name := key[strings.LastIndexByte(key, '.')+1:]; name {
		case "credential_process", "ca_bundle", "endpoint_url":
			if name == "credential_process" {
				a.script(value)
			}
			if name != "endpoint_url" || !isInside(hostOf(value)) {
				a.add(effect.Effect{Verb: effect.Persist, Object: "aws " + name, From: value})
			}
		}
	}
}

// awsSends is what is sent to a queue, a topic, a mailbox or a bucket.
func awsSends(a *act, in *command.Reading) {
	if awsLocal(a, in) {
		return
	}
	var files []string
	for _, value := range in.Values("body") {
		files = append(files, sentFile(value))
	}
	a.sendsTo("aws", files...)
}

// awsRemote is a command that runs on machines: --parameters commands=... or JSON.
func awsRemote(a *act, in *command.Reading) {
	for _, text := range in.Values("parameters") {
		var parameters struct {
			Commands []string `json:"commands"`
		}
		if json.Unmarshal([]byte(text), &parameters) == nil && len(parameters.Commands) > 0 {
			for _, line := range parameters.Commands {
				a.remotely(line)
			}
		} else if _, commands, ok := strings.Cut(text, "commands="); ok {
			a.remotely(strings.Trim(commands, `[]"'`))
		} else {
			a.doubt(Variable)
		}
	}
	if len(in.Values("parameters")) == 0 {
		a.doubt(Variable)
	}
}

// awsJSON is a document that is given as text or as a file. What cannot be read is
// noted as unknown.
func (a *act) awsJSON(text string, into any) bool {
	if file, ok := strings.CutPrefix(text, "file://"); ok {
		content, known := a.file(file)
		if !known {
			a.doubt(Unseen)
			return false
		}
		text = content
	}
	if !a.r.pay(len(text)) || json.Unmarshal([]byte(text), into) != nil {
		a.doubt(Variable)
		return false
	}
	return true
}

// awsLifecycle is rules for the life of objects: those that give up all of a bucket
// within days destroy it.
func awsLifecycle(a *act, in *command.Reading) {
	if awsLocal(a, in) {
		return
	}
	for _, text := range in.Values("lifecycle-configuration") {
		var rules struct {
			Rules []struct {
				Status     string
				Prefix     *string
				Filter     map[string]any
				Expiration *struct {
					Days *float64
					Date *string
				}
			}
		}
		if !a.awsJSON(text, &rules) {
			continue
		}
		for _, rule := range rules.Rules {
			expires := rule.Expiration != nil && (rule.Expiration.Date != nil || rule.Expiration.Days != nil && *rule.Expiration.Days < 8)
			all := (rule.Prefix == nil || *rule.Prefix == "") && !filtersOut(rule.Filter)
			if expires && all && !strings.EqualFold(rule.Status, "Disabled") {
				a.add(effect.Effect{Verb: effect.Destroy, Object: "objects of " + in.Value("bucket"), Wide: true})
				return
			}
		}
	}
}

// filtersOut reports whether a filter leaves objects out.
func filtersOut(filter map[string]any) bool {
	for key, v := range filter {
		if s, ok := v.(string); !strings.EqualFold(key, "Prefix") || !ok || s != "" {
			return true
		}
	}
	return false
}

// awsPolicy is a document that says who may do something: everybody, if a principal is
// a star.
func awsPolicy(a *act, in *command.Reading) {
	if awsLocal(a, in) {
		return
	}
	for _, role := range []string{"policy", "policy-text", "attributes", "attribute-value", "resource-policy"} {
		for _, text := range in.Values(role) {
			var document any
			if a.awsJSON(text, &document) && isForAll(document, 0) {
				a.does(effect.Grant, "aws "+strings.Join(append(in.Values("command"), in.Values("words")...), " "))
			}
		}
	}
}

// isForAll reports whether a policy has everybody as a principal. Policies stand in
// others as texts.
func isForAll(v any, depth int) bool {
	if depth > mostDeep {
		return true
	}
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if strings.EqualFold(key, "Principal") || strings.EqualFold(key, "AWS") {
				if value == "*" {
					return true
				}
				if list, ok := value.([]any); ok {
					for _, one := range list {
						if one == "*" {
							return true
						}
					}
				}
			}
			if isForAll(value, depth+1) {
				return true
			}
		}
	case []any:
		for _, one := range v {
			if isForAll(one, depth+1) {
				return true
			}
		}
	case string:
		var inner map[string]any
		return strings.HasPrefix(v, "{") && json.Unmarshal([]byte(v), &inner) == nil && isForAll(inner, depth+1)
	}
	return false
}

// awsRecords changes the names of a zone.
func awsRecords(a *act, in *command.Reading) {
	if awsLocal(a, in) {
		return
	}
	about := "aws " + strings.Join(in.Values("command"), " ") + " " + in.Value("hosted-zone-id")
	for _, text := range in.Values("change-batch") {
		var batch struct {
			Changes []struct {
				Action            string
				ResourceRecordSet struct {
					ResourceRecords []struct{ Value string }
				}
			}
		}
		if !a.awsJSON(text, &batch) {
			if strings.Contains(text, "DELETE") {
				a.destroys(about, true)
			}
			continue
		}
		deletes, others, validation := 0, 0, true
		for _, change := range batch.Changes {
			if strings.EqualFold(change.Action, "DELETE") {
				deletes++
				for _, record := range change.ResourceRecordSet.ResourceRecords {
					validation = validation && isValidation(record.Value)
				}
				validation = validation && len(change.ResourceRecordSet.ResourceRecords) > 0
			} else {
				others++
			}
		}
		if deletes > 0 {
			a.destroys(about, others == 0 && !validation)
		}
	}
}

// isValidation reports whether a record is one by which a certificate authority knows
// the owner of a domain.
func isValidation(value string) bool {
	return strings.HasSuffix(strings.TrimSuffix(value, "."), ".acm-validations.aws")
}
