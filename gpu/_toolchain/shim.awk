# Makes C of a list of the driver's functions, one a line: a table of names and
# addresses, and for each function a jump through its place in the table, which
# keeps all arguments where they are, whatever they are.
BEGIN {
	print "void *cudaShimAddress[]; /* filled in by shim.c */"
	print "#if defined(__x86_64__)"
	print "#define JUMP(name, at) __asm__(\".text\\n.globl \" name \"\\n.type \" name \",@function\\n\" \\"
	print "\tname \":\\njmp *cudaShimAddress+8*\" #at \"(%rip)\\n\");"
	print "#elif defined(__aarch64__)"
	print "#define JUMP(name, at) __asm__(\".text\\n.globl \" name \"\\n.type \" name \",@function\\n\" \\"
	print "\tname \":\\nadrp x16, cudaShimAddress+8*\" #at \"\\nldr x16, [x16, :lo12:cudaShimAddress+8*\" #at \"]\\nbr x16\\n\");"
	print "#else"
	print "#error \"no jumps are written for this processor\""
	print "#endif"
}
{ names = names "\t\"" $1 "\",\n"; printf "JUMP(\"%s\", %d)\n", $1, NR - 1 }
END {
	printf "const int cudaShimCount = %d;\n", NR
	printf "__attribute__((visibility(\"hidden\"))) void *cudaShimAddress[%d] = {0};\n", NR
	printf "const char *const cudaShimName[] = {\n%s};\n", names
}
