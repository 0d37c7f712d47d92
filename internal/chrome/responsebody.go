package chrome

import (
	"context"
	"encoding/base64"

	"github.com/chromedp/cdproto/network"
)

// responseBody is a body as the browser gives it.
type responseBody struct {
	Body    string `json:"body"`
	Encoded bool   `json:"base64Encoded"`
}

func (b *responseBody) bytes() ([]byte, error) {
	if b.Encoded {
		return base64.StdEncoding.DecodeString(b.Body)
	}
	return []byte(b.Body), nil
}

// Body gets the body of an answer, or ends with what makes waiting for the page
// pointless.
func (s *Source) Body(ctx context.Context, request string) ([]byte, error) {
	var got responseBody
	if err := s.Call(ctx, network.CommandGetResponseBody, &network.GetResponseBodyParams{RequestID: network.RequestID(request)}, &got); err != nil {
		return nil, err
	}
	return got.bytes()
}

// StartBody asks for the body of an answer, and does not wait.
func (s *Source) StartBody(request string) func(context.Context) ([]byte, error) {
	asked := s.Start(s.Command(network.CommandGetResponseBody, &network.GetResponseBodyParams{RequestID: network.RequestID(request)}))[0]
	return func(ctx context.Context) ([]byte, error) {
		var got responseBody
		if err := asked.Wait(ctx, &got); err != nil {
			return nil, err
		}
		return got.bytes()
	}
}
