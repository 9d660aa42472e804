package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// frameworkPlace says where a framework, or a tool of one, finds its database.
func frameworkPlace(a *invocation.Act, in *command.Reading) {
	s := a.Data()
	for _, variable := range invocation.AddressVariables {
		if value, set := a.Variable(variable); set && value != "" {
			s.In(value)
		}
	}
	for _, variable := range invocation.HostVariables {
		if value, set := a.Variable(variable); set {
			s.On(value)
		}
	}
	s.In(in.Values("address")...)
	for _, module := range in.Values("settings") {
		s.TestSetting = s.TestSetting || effect.PurposeOf(lastDot(module)) == effect.ForTests
	}
	words := append(in.Values("command"), in.Values("words")...)
	for _, word := range words {
		switch {
		case strings.Contains(word, "://"), strings.Contains(word, "dbname="), strings.Contains(word, "@tcp("):
			s.In(word)
		case follow.EndsWithAny(word, invocation.DatabaseFileNames...):
			s.InFile(word)
		}
	}
	settingPlace(a, in, words)
}

// settingPlace says which of its environments a framework uses.
func settingPlace(a *invocation.Act, in *command.Reading, words []string) {
	s := a.Data()
	uses := func(variable, value string) {
		p := effect.PurposeOf(value)
		s.Live = s.Live || p&effect.ForUse != 0
		s.TestSetting = s.TestSetting || p&effect.ForTests != 0 || p&effect.ForWork != 0 && variable != "NODE_ENV"
	}
	for _, variable := range invocation.SettingVariables {
		if value, set := a.Variable(variable); set {
			uses(variable, value)
		}
	}
	if value, set := a.Variable("DJANGO_SETTINGS_MODULE"); set {
		s.TestSetting = s.TestSetting || effect.PurposeOf(lastDot(value)) == effect.ForTests
	}
	for _, word := range words { // rake db:drop RAILS_ENV=test
		if variable, value, ok := strings.Cut(word, "="); ok && slices.Contains(invocation.SettingVariables, variable) {
			uses(variable, value)
		}
	}
	for _, value := range in.Values("environment") {
		uses("", value)
	}
}

// lastDot is the last part of a dotted name: test of app.settings.test.
func lastDot(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
