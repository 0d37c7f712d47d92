package apitest

func (s *Suite) script(marks bool) []File { return s.feature(marks) }
