package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/workloadmap/wm/cluster"
	"github.com/workloadmap/wm/internal/cli/printer"
)

// Reading anew takes at most a fifth of the time, and no more than one read in
// two seconds is made: a busy cluster changes all the time.
const (
	leastPause = 2 * time.Second
	pauseRatio = 4
)

// watchCluster calls show now and whenever something changed, until the context
// is done. It ends with show's error.
func watchCluster(ctx context.Context, client *cluster.Client, query cluster.Query, show func() error) error {
	changed := client.Changes(ctx, query)
	for {
		start := time.Now()
		if err := show(); err != nil {
			return err
		}
		timer := time.NewTimer(max(leastPause, pauseRatio*time.Since(start)))
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-timer.C:
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		}
	}
}

// watchGet shows all rows, and then those that changed.
func watchGet(ctx context.Context, world World, opened *live, query cluster.Query, flags *getFlags, listing *printer.Listing) error {
	shown := map[string]string{}
	first := true
	return watchCluster(ctx, opened.client, query, func() error {
		result := opened.client.Read(ctx, query)
		if ctx.Err() != nil {
			return nil
		}
		failure := readFailure(result)
		if failure != nil && (first || result.Answered == 0) {
			return failure
		}
		listing.Rows = rowsOf(result.Found, flags.chosenPhases)
		listing.Rows = printer.Changed(shown, listing.Rows, failure == nil)
		if len(listing.Rows) == 0 {
			return nil
		}
		listing.NoHeaders = listing.NoHeaders || !first
		first = false
		return listing.Write(world.Stdout)
	})
}

// watchDescribe draws workloads anew whenever something about them changed.
func watchDescribe(ctx context.Context, world World, client *cluster.Client, query cluster.Query, draw func() error) error {
	first := true
	return watchCluster(ctx, client, query, func() error {
		switch {
		case world.Terminal != nil:
			// Home, and clear what is below.
			fmt.Fprint(world.Stdout, "\x1b[H\x1b[2J")
		case !first:
			fmt.Fprintf(world.Stdout, "\n--- %s\n", world.Now().Format(time.TimeOnly))
		}
		first = false
		if err := draw(); ctx.Err() == nil {
			return err
		}
		return nil
	})
}
