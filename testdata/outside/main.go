// A program of another module: a pool of drivers on a browser that runs elsewhere, as a
// Provider of its own.
package main

import (
	"context"
	"fmt"
	"os"

	"rove"
	"rove/driver"
	"rove/driver/backend"
)

func main() {
	ctx := context.Background()
	pool, err := driver.NewPool(driver.PoolOptions{
		Size:  2,
		Start: func(ctx context.Context) (backend.Browser, error) { return rove.Remote(ctx, os.Args[1]) },
	})
	fail(err)
	var provider driver.Provider = pool
	one, err := provider.Acquire(ctx, driver.Options{Context: driver.ContextOptions{Viewport: driver.Viewport{Width: 500, Height: 400}}})
	fail(err)
	two, err := provider.Acquire(ctx, driver.Options{})
	fail(err)
	fail(one.SetURL(ctx, os.Args[2]))
	fail(two.SetURL(ctx, os.Args[2]))
	_, err = one.Script(ctx, "document.cookie = 'who=one'")
	fail(err)
	width, err := one.Script(ctx, "innerWidth")
	fail(err)
	cookie, err := two.Script(ctx, "document.cookie")
	fail(err)
	fmt.Printf("%v %q", width, cookie)
	fail(provider.Release(ctx, one))
	fail(provider.Release(ctx, two))
	fail(provider.Shutdown(ctx))
}

func fail(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
