/** Required access: everyone on the network, or only programs on this machine and callers with the token. */
export type AccessLevel = 'network' | 'trusted'
