package evasion

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

//go:embed hostile/*.txt harmless/*.txt
var suites embed.FS

// Hostile returns the calls that must be blocked.
func Hostile() ([]Case, error) { return load("hostile", true) }

// Harmless returns the calls that must pass.
func Harmless() ([]Case, error) { return load("harmless", false) }

// load reads all files of a suite in the order of their names.
func load(dir string, dangers bool) ([]Case, error) {
	files, err := fs.ReadDir(suites, dir)
	if err != nil {
		return nil, err
	}
	var cases []Case
	for _, file := range files {
		data, err := fs.ReadFile(suites, path.Join(dir, file.Name()))
		if err != nil {
			return nil, err
		}
		read, err := Parse(strings.TrimSuffix(file.Name(), ".txt"), string(data), dangers)
		if err != nil {
			return nil, fmt.Errorf("evasion: %s: %w", dir, err)
		}
		cases = append(cases, read...)
	}
	return cases, nil
}

// Parse reads the lines of a file. Dangers says that each begins with the names
// of its dangers. The error names the line.
func Parse(name, text string, dangers bool) ([]Case, error) {
	var cases []Case
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		c := Case{Name: name + ":" + strconv.Itoa(number)}
		if dangers {
			names, rest, _ := strings.Cut(line, " ")
			c.Dangers, line = strings.Split(names, ","), strings.TrimSpace(rest)
		}
		c.Text = line
		if err := c.read(line); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// read reads what a line calls.
func (c *Case) read(line string) error {
	switch {
	case line == "":
		return errors.New("nothing is called")
	case line[0] == '{' && json.Valid([]byte(line)):
		return c.readJSON(line)
	case strings.HasPrefix(line, `{"`):
		return errors.New("this looks like JSON, but is not valid")
	case line[0] == '"':
		if command, err := strconv.Unquote(line); err == nil {
			line = command
		}
	}
	c.Calls = []Call{{Shell: line}}
	return nil
}

// saidCall is a call as a line has it.
type saidCall struct {
	Shell     string          `json:"shell"`
	Tool      string          `json:"tool"`
	Type      string          `json:"type"`
	Arguments json.RawMessage `json:"arguments"`
	Input     string          `json:"input"`
}

// saidTurn is an entry of before as a line has it.
type saidTurn struct {
	saidCall

	User      string `json:"user"`
	Assistant string `json:"assistant"`
	Result    string `json:"result"`
	Failed    bool   `json:"failed"`
}

func (c *Case) readJSON(line string) error {
	var said struct {
		saidCall

		Calls  []saidCall `json:"calls"`
		Before []saidTurn `json:"before"`
		Cwd    string     `json:"cwd"`
		Home   string     `json:"home"`
		Choice int        `json:"choice"`
		Legacy bool       `json:"legacy"`
	}
	d := json.NewDecoder(strings.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&said); err != nil {
		return err
	}
	c.Cwd, c.Home, c.Choice, c.Legacy = said.Cwd, said.Home, said.Choice, said.Legacy
	if len(said.Calls) == 0 {
		said.Calls = []saidCall{said.saidCall}
	}
	for _, s := range said.Calls {
		made, err := s.call()
		if err != nil {
			return err
		}
		c.Calls = append(c.Calls, *made)
	}
	for _, s := range said.Before {
		turn := Turn{User: s.User, Assistant: s.Assistant, Result: s.Result, Failed: s.Failed}
		if s.User == "" && s.Assistant == "" {
			made, err := s.call()
			if err != nil {
				return err
			}
			turn.Call = made
		}
		c.Before = append(c.Before, turn)
	}
	return nil
}

// call checks that exactly one call was said.
func (s *saidCall) call() (*Call, error) {
	c := &Call{Shell: s.Shell, Tool: s.Tool, Type: s.Type, Arguments: string(s.Arguments)}
	if s.Input != "" {
		c.Arguments = s.Input
	}
	if (c.Shell == "") == (c.Tool == "" && c.Type == "") {
		return nil, errors.New("a call needs either shell, or tool or type")
	}
	if s.Input != "" && s.Arguments != nil {
		return nil, errors.New("a call has either arguments or input")
	}
	if c.Type == "" {
		c.Type = "function"
	}
	return c, nil
}
