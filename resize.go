package rove

import (
	"context"
	"fmt"
)

// Resize changes the size of the visible page, in this tab and in those that are
// opened from now on.
func (s *Session) Resize(ctx context.Context, view Viewport) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, _, err := s.currentTab(ctx); err != nil {
		return err
	}
	if _, err := s.askConsent(ctx, "viewport", "_page", fmt.Sprintf("%dx%d", view.Width, view.Height)); err != nil {
		return err
	}
	return s.held(s.driver.Resize(ctx, view))
}
