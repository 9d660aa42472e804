package text

import "slices"

// enter lets the stages read along, from the anchor on.
func (s *Stream) enter(data []byte) {
	if s.stages == nil {
		s.stages = s.newStages()
	}
	before := s.kindBefore(data, s.anchor)
	for _, stage := range s.stages {
		stage.moveOn(s.anchor-s.fed, before)
	}
	s.exact = true
	s.batch = 1
	s.out.unchanged(s.anchor)
	s.feed(data[s.anchor-s.start : s.pos-s.start])
	switch {
	case s.overrun:
	case s.credit < 0:
		s.blind = s.pos + s.chain.tune.blind
	case s.row <= s.chain.auto.idle && s.atRest(data):
		s.leave()
	}
}

// leave lets the automaton go on alone.
func (s *Stream) leave() {
	s.exact = false
	s.anchor = s.pos
	s.watch.next(s.pos)
}

func (s *Stream) newStages() []*stage {
	rules := s.chain.prog.rules
	stages := make([]*stage, len(rules))
	for i := range stages {
		stages[i] = &stage{finder: *newFinder(s.chain.prog, &rules[i]), index: i, hits: &s.hits, limit: s.opts.Limit}
		switch {
		case s.fan:
			stages[i].to = unread{}
		case i > 0:
			stages[i-1].to = stages[i]
		}
	}
	if !s.fan {
		stages[len(stages)-1].to = &s.out
	}
	return stages
}

// dismissStages drops the stages permanently.
func (s *Stream) dismissStages() {
	for _, stage := range s.stages {
		stage.dismiss()
	}
	s.stages = nil
}

// feed lets the stages read text that ends at pos.
func (s *Stream) feed(text []byte) {
	from := s.pos - len(text)
	s.fed = s.pos
	for i, stage := range s.stages {
		if i == 0 || s.fan {
			stage.receive(text, from, s.pos, false)
		}
	}
	s.checkOverrun()
}

// finish ends the text of the stages.
func (s *Stream) finish() {
	for _, stage := range s.stages {
		stage.finish()
		if s.checkOverrun(); s.overrun {
			return
		}
	}
}

// checkOverrun withholds everything that the stages have not handed on once one
// of them is over the limit.
func (s *Stream) checkOverrun() {
	if !slices.ContainsFunc(s.stages, func(stage *stage) bool { return stage.overrun }) {
		return
	}
	s.overrun = true
	s.withheld = s.out.end
	s.dismissStages()
	s.out.withhold(s.total, s.opts.Notice)
}

// atRest reports that no stage holds anything and that all of them see the same
// last character as the automaton, at pos.
func (s *Stream) atRest(data []byte) bool {
	before := s.kindBefore(data, s.pos)
	return !slices.ContainsFunc(s.stages, func(stage *stage) bool { return !stage.resting(before) })
}
