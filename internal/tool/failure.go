package tool

import (
	"errors"

	"rove"
)

// Failure is the data form of an error, and the same at every door.
type Failure struct {
	OK      bool      `json:"ok"`             // never
	Code    rove.Code `json:"code,omitempty"` // none for an error from elsewhere
	Op      string    `json:"op,omitempty"`
	Message string    `json:"error"`
	Hint    string    `json:"hint,omitempty"`
	Log     []string  `json:"log,omitempty"`
}

// NewFailure is an error as data; of nil it is nil.
func NewFailure(err error) *Failure {
	if err == nil {
		return nil
	}
	var e *rove.Error
	if !errors.As(err, &e) {
		return &Failure{Message: err.Error()}
	}
	return &Failure{Code: e.Code, Op: e.Op, Message: e.Message, Hint: e.Hint, Log: e.Log}
}

// Err is the failure as the error it was.
func (f *Failure) Err() error {
	if f == nil {
		return nil
	}
	return &rove.Error{Code: f.Code, Op: f.Op, Message: f.Message, Hint: f.Hint, Log: f.Log}
}
