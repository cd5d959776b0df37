module rtcluster

go 1.26
