package feature

import "testing"

// TestAgentInFeatures runs the examples of the agent API as they are written.
func TestAgentInFeatures(t *testing.T) {
	t.Parallel()
	allPass(t, runUI(t, Options{Paths: []string{"agent.feature"}, Threads: 2}), 3)
}
