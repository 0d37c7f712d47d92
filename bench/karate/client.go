//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"sync"
)

// plain is the floor: a program that asks as often as the API scenarios do, reads the
// JSON and compares it. It has no steps, no variables and no reports.
func plain(address string, count, threads int) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: threads}}
	next, failures := make(chan int), make(chan error, threads)
	var wait sync.WaitGroup
	for range threads {
		wait.Go(func() {
			for i := range next {
				if err := plainOnce(client, address, i); err != nil {
					select {
					case failures <- err:
					default:
					}
				}
			}
		})
	}
	for i := range count {
		next <- i
	}
	close(next)
	wait.Wait()
	select {
	case err := <-failures:
		return err
	default:
		return nil
	}
}

func plainOnce(client *http.Client, address string, i int) error {
	answer, err := client.Get(fmt.Sprintf("%s/users/%d", address, i))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	var v map[string]any
	if err := json.Unmarshal(body, &v); err != nil {
		return err
	}
	if want := map[string]any{"id": fmt.Sprint(i), "name": "Ann", "tags": []any{"a", "b"}}; answer.StatusCode != http.StatusOK || !reflect.DeepEqual(v, want) {
		return fmt.Errorf("user %d: %d %v", i, answer.StatusCode, v)
	}
	return nil
}
