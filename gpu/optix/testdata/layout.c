// Prints sizes of what abi.h declares, and places of fields, for TestLayout.
#include "abi.h"

#include <stdio.h>

#define SIZE(type) printf("%s %zu\n", #type, sizeof(type))
#define FIELD(type, field) printf("%s.%s %zu\n", #type, #field, offsetof(type, field))

int main(void) {
	SIZE(ContextOptions);
	FIELD(ContextOptions, logLevel);
	SIZE(ModuleOptions);
	FIELD(ModuleOptions, bound);
	FIELD(ModuleOptions, payloads);
	SIZE(PipelineOptions);
	FIELD(PipelineOptions, graph);
	FIELD(PipelineOptions, carried);
	FIELD(PipelineOptions, attributes);
	FIELD(PipelineOptions, parameter);
	FIELD(PipelineOptions, primitives);
	SIZE(GroupDescription);
	FIELD(GroupDescription, of.one.module);
	FIELD(GroupDescription, of.one.entry);
	FIELD(GroupDescription, of.hit.anyModule);
	FIELD(GroupDescription, of.hit.any);
	FIELD(GroupDescription, of.hit.crossModule);
	FIELD(GroupDescription, of.hit.cross);
	SIZE(GroupOptions);
	SIZE(StackSizes);
	SIZE(BuildInput);
	FIELD(BuildInput, of);
	FIELD(CustomPrimitives, n);
	FIELD(CustomPrimitives, stride);
	FIELD(CustomPrimitives, flags);
	FIELD(CustomPrimitives, records);
	FIELD(CustomPrimitives, offsets);
	FIELD(CustomPrimitives, first);
	SIZE(BuildOptions);
	FIELD(BuildOptions, operation);
	FIELD(BuildOptions, motionKeys);
	FIELD(BuildOptions, motionBegin);
	SIZE(BufferSizes);
	SIZE(BindingTable);
	FIELD(BindingTable, miss);
	FIELD(BindingTable, missStride);
	FIELD(BindingTable, hit);
	FIELD(BindingTable, hitStride);
	FIELD(BindingTable, callables);
	return 0;
}
