package tool

// Check says what is wrong with an input, without running anything.
func (t *Tool) Check(input []byte) error {
	_, err := t.prepare(input)
	return err
}
