package rove

// Keep gives what somebody keeps with the session under a key of their own: what
// create made when it was first asked for. It goes with the session.
func (s *Session) Keep(key any, create func() any) any {
	if v, ok := s.kept.Load(key); ok {
		return v
	}
	v, _ := s.kept.LoadOrStore(key, create())
	return v
}
