import { networkInterfaces } from 'node:os'

/** Networks for examples (RFC 5737); this machine may be in one of them, and is then no stranger to itself there. */
const NETWORKS = ['192.0.2', '198.51.100', '203.0.113']

const own = Object.values(networkInterfaces()).flat().map(known => known?.address ?? '')

/** The first octets of a network that this machine is not in: addresses of other machines. */
export const REMOTE = NETWORKS.find(network => !own.some(address => address.startsWith(`${network}.`))) ?? '192.0.2'
