// Package cluster reads workloads from a live Kubernetes cluster: which kinds
// it serves, the objects of a kind, their pods, and who owns what.
//
// A [Client] asks the API server as little as it can. Objects and pods are
// listed in pages, pods once for a namespace; an owner between a workload and
// its pods is read as metadata, at most once, and only when it is not in hand
// already. At most eight requests run at a time.
//
//	client, err := cluster.Connect(cluster.Access{})
//	if err != nil {
//		return err
//	}
//	found, err := client.Types(ctx, set)
//	if err != nil {
//		return err
//	}
//	rayClusters, err := found.Find("raycluster")
//	if err != nil {
//		return err
//	}
//	result := client.Read(ctx, cluster.Query{Types: []cluster.Type{rayClusters}, Namespace: client.Namespace})
//
// What cannot be read never hides the rest: a [Result] has everything that
// could be read and one [Fault] for each thing that could not.
package cluster
