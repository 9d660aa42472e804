package main

import (
	"io"

	"github.com/sluice-project/sluice/policy/file"
)

// pageReport is the JSON form of a page.
type pageReport struct {
	Name      string        `json:"name"`
	Doc       string        `json:"doc"`
	Sees      string        `json:"sees"`
	Blind     string        `json:"blind"`
	Presets   []pagePreset  `json:"presets"`
	Mode      string        `json:"mode"`
	Applies   []string      `json:"applies_to"`
	Then      string        `json:"then"`
	OnUnknown string        `json:"on_unknown"`
	OnError   string        `json:"on_error"`
	Does      string        `json:"does"`
	Unknown   string        `json:"when_unknown"`
	Failure   string        `json:"when_failing"`
	Reason    string        `json:"reason"`
	Rule      string        `json:"rule"`
	Params    []pageParam   `json:"params"`
	Excepts   []string      `json:"excepts"`
	Examples  []pageExample `json:"examples"`
	Try       string        `json:"try"`
	File      string        `json:"file"`
	Line      int           `json:"line"`
	Version   string        `json:"version"`
}

type pagePreset struct {
	Preset string `json:"preset"`
	Mode   string `json:"mode"`
}

type pageParam struct {
	Name    string `json:"name"`
	Doc     string `json:"doc"`
	Default any    `json:"default"`
	Value   any    `json:"value"`
}

type pageExample struct {
	Shell     string   `json:"shell,omitempty"`
	Tool      string   `json:"tool,omitempty"`
	Arguments string   `json:"arguments,omitempty"`
	Text      string   `json:"text,omitempty"`
	Result    bool     `json:"result,omitempty"`
	Given     []string `json:"given,omitempty"`
	Want      string   `json:"want"`
	Gives     string   `json:"gives,omitempty"`
}

func showPageJSON(w io.Writer, page *file.Page) error {
	r := pageReport{
		Name: page.Name, Doc: page.Doc, Sees: page.Sees, Blind: page.Blind, Mode: page.Mode, Applies: page.Applies,
		Then: page.Then, OnUnknown: page.OnUnknown, OnError: page.OnError,
		Does: page.Does, Unknown: page.Unknown, Failure: page.Failure, Reason: page.Reason, Rule: page.Rule,
		Presets: []pagePreset{}, Params: []pageParam{}, Examples: []pageExample{}, Excepts: append([]string{}, page.Excepts...),
		Try: page.Try(), File: page.File, Line: page.Line, Version: page.Version,
	}
	for _, m := range page.Presets {
		r.Presets = append(r.Presets, pagePreset(m))
	}
	for _, p := range page.Params {
		r.Params = append(r.Params, pageParam(p))
	}
	for _, e := range page.Examples {
		r.Examples = append(r.Examples, pageExample{e.Shell, e.Tool, e.Arguments, e.Text, e.Result, e.Given, e.Want, e.Gives})
	}
	return showJSON(w, r)
}
