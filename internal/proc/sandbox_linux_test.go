package proc

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func TestSandboxDecision(t *testing.T) {
	const browser = "/opt/browser/chrome"
	for _, tc := range []struct {
		name             string
		root             bool
		sysctls          map[string]string
		helper, profiled bool
		clone            error
		want             string // part of the reason, "" for a sandbox that works
	}{
		{name: "plain"},
		{name: "root", root: true, helper: true, want: "root"},
		{name: "debian switch", sysctls: map[string]string{"kernel/unprivileged_userns_clone": "0"}, want: "unprivileged_userns_clone"},
		{name: "debian switch on", sysctls: map[string]string{"kernel/unprivileged_userns_clone": "1"}},
		{name: "setuid helper", helper: true, sysctls: map[string]string{"kernel/unprivileged_userns_clone": "0"}},
		{name: "none allowed", sysctls: map[string]string{"user/max_user_namespaces": "0"}, want: "max_user_namespaces"},
		{name: "apparmor", sysctls: map[string]string{"kernel/apparmor_restrict_unprivileged_userns": "1"}, want: "AppArmor"},
		{name: "apparmor with a profile", profiled: true, sysctls: map[string]string{"kernel/apparmor_restrict_unprivileged_userns": "1"}},
		{name: "container", clone: errors.New("operation not permitted"), want: "container"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ok, why := sandboxCheck{
				root:    tc.root,
				sysctl:  func(name string) string { return tc.sysctls[name] },
				helper:  func(string) bool { return tc.helper },
				profile: func(string) bool { return tc.profiled },
				clone:   func() error { return tc.clone },
			}.decide(browser)
			if ok != (tc.want == "") || !strings.Contains(why, tc.want) {
				t.Errorf("ok %v, %q; want %q", ok, why, tc.want)
			}
			if strings.Count(why, ".") > 0 && !strings.HasSuffix(why, ".") {
				t.Errorf("%q is no sentence", why)
			}
		})
	}
}

func TestSandboxHere(t *testing.T) {
	ok, why := Sandbox("/usr/bin/chromium")
	if os.Geteuid() == 0 && ok {
		t.Error("a sandbox for root")
	}
	if ok == (why != "") {
		t.Errorf("ok %v with reason %q", ok, why)
	}
}
