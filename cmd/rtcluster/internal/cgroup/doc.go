// Package cgroup reads what the control groups of Linux leave to this process: the
// memory and the processor time of its own group and of all groups around it, where
// the least counts. Batch systems, containers and systemd limit the outer ones: Slurm
// a job and its steps, Kubernetes a pod and its containers.
//
//	/sys/fs/cgroup/job_7            memory.max 16 GiB
//	/sys/fs/cgroup/job_7/step_0     memory.max max
//	/sys/fs/cgroup/job_7/step_0/us  memory.max 4 GiB   the process is here: 4 GiB
//
// Version 2, version 1 and both beside each other are understood. Where the system
// has no control groups, or does not show them, nothing is limited.
package cgroup
