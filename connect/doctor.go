package connect

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/sluice-project/sluice/internal/plain"
)

// Doctor checks whether a client is protected: whether it is installed, whether
// its own settings let it go through the gateway, and, by a canary in each of
// its dialects, whether the gateway stops a destructive call. The client itself
// is only asked for its version. With the private gateway of a run, the client
// is not required to use the gateway however it is started.
func Doctor(ctx context.Context, c Client, g Gateway, opt Options) Result {
	result := Result{Protected: true}
	opt.BaseURL, opt.Key = g.BaseURL, g.Key
	launch, err := Prepare(c, opt)
	there := installed(ctx, c, opt)
	result.add(there)
	if err != nil || g.Private || !launch.Permanent { // otherwise the next check says it
		result.add(settingsCheck(launch, err))
	}
	if err == nil && !g.Private {
		result.add(always(launch))
	}
	for _, format := range c.Formats {
		for _, check := range Canary(ctx, g, format).Checks {
			result.add(check)
		}
	}
	if there.absent && !slices.ContainsFunc(result.Checks, func(c Check) bool { return !c.OK && !c.absent }) {
		result.Missing = c.Title
	}
	return result
}

// versionTimeout is how long a client may take to say its version.
const versionTimeout = 15 * time.Second

// installed finds the program and asks for its version.
func installed(ctx context.Context, c Client, opt Options) Check {
	check := Check{Name: c.Title + " is installed", Expected: "the program " + c.Command + " is found and says its version"}
	program, err := lookPath(Launch{Client: c, Env: opt.Env})
	if err != nil {
		check.absent = true
		check.Detail, check.Advice = plain.Error(err), "install it, or put it into PATH"
		if c.Install != "" {
			check.Advice = "install it with `" + c.Install + "`, or put the program into PATH"
		}
		return check
	}
	check.OK, check.Detail = true, program
	if !c.Known() {
		return check // what an unknown program does with --version is not known
	}
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--version") //nolint:gosec // it is the program that the user wants checked
	cmd.Env, cmd.Dir = opt.Env, opt.Dir
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		check.OK = false
		check.Detail, check.Advice = fmt.Sprintf("%s --version failed: %s", program, plain.Error(err)), "run that yourself to see why, and reinstall it"
		return check
	}
	check.Detail = fmt.Sprintf("%s, version %s", program, excerpt([]byte(strings.TrimSpace(string(out)))))
	return check
}

// settingsCheck checks whether the client can be pointed at the gateway.
func settingsCheck(l Launch, err error) Check {
	check := Check{Name: "with `sluice run`, it goes through the gateway", Expected: "no setting bypasses a gateway of `sluice run`"}
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		check.Detail, check.Advice = refused.Reason, refused.Advice
		return check
	}
	if err != nil {
		check.Detail, check.Advice = err.Error(), "correct it"
		return check
	}
	check.OK, check.Detail = true, "yes"
	for _, name := range slices.Sorted(maps.Keys(l.Upstream)) {
		check.Detail += fmt.Sprintf("; your own setup points at %s, which becomes the gateway's upstream %s", l.Upstream[name], name)
	}
	return check
}

// always checks whether the client goes through the gateway however it is
// started.
func always(l Launch) Check {
	check := Check{
		Name: "it uses the gateway without `sluice run`, too", Expected: "its own settings name this gateway", OK: l.Permanent, Detail: "yes",
	}
	if l.Permanent {
		check.Name = "its own settings point at the gateway"
	} else {
		check.Detail = "no: started on its own, it bypasses the gateway"
		check.Advice = fmt.Sprintf("`sluice connect %[1]s --write` sets it up permanently; or always start it with `sluice run -- %[1]s`, which `sluice doctor --run %[1]s` checks", l.Client.Name)
	}
	return check
}
