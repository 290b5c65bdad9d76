import { defineError } from '../../core/index.js'

export const ClientExists = defineError<[name: string]>('PRN_ERR_RELAY_CLIENT_EXISTS',
  "There is a client '%s' of the relay already: choose another name", 409)

export const NoClient = defineError<[name: string]>('PRN_ERR_NO_RELAY_CLIENT', "The relay has no client '%s'", 404)

export const ClientFixed = defineError<[name: string]>('PRN_ERR_RELAY_CLIENT_FIXED',
  "The client '%s' is in the configuration file: change it there", 409)

export const ClientsFull = defineError<[most: number]>('PRN_ERR_RELAY_CLIENTS_FULL',
  'The relay has %d clients already: remove one first', 409)

export const NotRelayed = defineError<[printer: string]>('PRN_ERR_NOT_RELAYED', "'%s' is not relayed", 404)

export const RelayFixed = defineError<[printer: string]>('PRN_ERR_RELAY_FIXED',
  "'%s' is relayed by the configuration file: change it there", 409)

export const PlaceTaken = defineError<[printer: string, bind: string, port: number]>('PRN_ERR_RELAY_PLACE_TAKEN',
  "'%s' has %s port %d already: use another address of this machine, or other ports", 409)

export const NotOpened = defineError<[printer: string, reason: string]>('PRN_ERR_RELAY_NOT_OPENED',
  "'%s' cannot be relayed there: %s", 409)
