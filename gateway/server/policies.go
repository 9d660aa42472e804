package server

import (
	"errors"
	"log/slog"
	"sync"

	"github.com/sluice-project/sluice/gateway/settings"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/policy/secret"
)

// policies are those in force, and what reloading them needs.
type policies struct {
	live    *policy.Live
	options file.Options
	files   []string
	sources []string   // what is in force: files, and presets, including recommended
	loading sync.Mutex // one load at a time
}

// openPolicies loads the policies. redactor is called at every load that needs
// placeholders.
func (s *Server) openPolicies(redactor func() (*secret.Redactor, error)) (*policies, *file.Loaded, error) {
	p := &policies{
		files: s.settings.Policies,
		options: file.Options{
			Models: s.judge, OnError: onError(s.settings.Failure.Judge), Redactor: redactor, Host: s.inForce(), ShortNotices: s.settings.Notice == settings.NoticeShort,
		},
	}
	loaded, err := s.load(p)
	if err != nil {
		return nil, nil, err
	}
	p.live, p.sources = policy.NewLive(loaded.Set), loaded.Sources
	return p, loaded, nil
}

// load reads the policies and applies the settings that concern them.
func (s *Server) load(p *policies) (*file.Loaded, error) {
	loaded, err := file.Load(p.options, p.files...)
	if err == nil && s.options.Shadow {
		loaded.Set, err = loaded.Set.Shadowed()
	}
	return loaded, err
}

func onError(f settings.JudgeFailure) policy.Action {
	switch f {
	case settings.JudgeBlock:
		return policy.Block
	case settings.JudgeAllow:
		return policy.Allow
	default:
		return 0
	}
}

// reloadPolicies puts the current files into force if all of them are valid.
func (s *Server) reloadPolicies() error {
	p := s.policies
	p.loading.Lock()
	defer p.loading.Unlock()
	loaded, err := s.load(p)
	var weaker []string
	if err == nil {
		weaker = loaded.Set.Weaker(p.live.Load())
		if len(weaker) > 0 && s.settings.Pinned {
			err = &WeakerError{Changes: weaker}
		}
	}
	recovered := s.gateway.Reloaded(err)
	if err != nil {
		s.refused(err)
		if len(weaker) > 0 {
			s.announce(weaker, true)
		}
		return err
	}
	if recovered {
		s.log.Info("the policies are good again", slog.String("version", loaded.Set.Version()))
	}
	if loaded.Set.Version() == p.live.Load().Version() {
		p.live.Swap(loaded.Set)
		s.log.Debug("the policies were reloaded and are the same", slog.String("version", loaded.Set.Version()))
		return nil
	}
	s.warn(loaded)
	if loaded.LeftOut != "" && loaded.Set.Note() != p.live.Load().Note() {
		s.log.Warn(loaded.Note())
	}
	p.live.Swap(loaded.Set)
	s.log.Info("new policies are in force", slog.Int("policies", loaded.Set.Len()), slog.String("version", loaded.Set.Version()))
	if len(weaker) > 0 {
		s.announce(weaker, false)
	}
	return nil
}

// refused says why new policies are not in force, with file and line.
func (s *Server) refused(err error) {
	version := s.policies.live.Load().Version()
	problems, ok := errors.AsType[file.Problems](err)
	if !ok {
		s.log.Error("the policies stay as they were", slog.String("version", version), slog.Any("error", err))
		return
	}
	const most = 20 // nobody reads more of a log
	for i := range min(len(problems), most) {
		s.log.Error("the policies stay as they were", slog.String("version", version), slog.String("problem", problems[i].String()))
	}
	if len(problems) > most {
		s.log.Error("the policies stay as they were", slog.String("version", version), slog.Int("more problems", len(problems)-most))
	}
}

func (s *Server) warn(loaded *file.Loaded) {
	for _, w := range loaded.Warnings {
		if w.Note {
			s.log.Info("about a policy", slog.String("note", w.String()))
			continue
		}
		s.log.Warn("a policy will not work as it may be meant", slog.String("warning", w.String()))
	}
}
