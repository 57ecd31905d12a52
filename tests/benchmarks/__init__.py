"""How fast the library is, beside other implementations of the same models on the same work.

``make bench`` runs it all. Every peer has the same number of parameters, computes the same function of the
past, and runs on the same threads; the peers take turns within one process, so that what else the machine
does befalls all of them.
"""
