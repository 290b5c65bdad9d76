import { defineError } from '../../core/index.js'

export const NoPlug = defineError<[id: string]>('PRN_ERR_NO_SUCH_PLUG', "There is no plug '%s'", 404)
export const PlugExists = defineError<[name: string]>('PRN_ERR_PLUG_EXISTS',
  "There is a plug '%s' already: choose another name", 409)
export const PlugsFull = defineError<[most: number]>('PRN_ERR_PLUGS_FULL', 'There are %d plugs already: remove one first', 409)
export const PlugStays = defineError<[name: string, reason: string]>('PRN_ERR_PLUG_STAYS_ON', "'%s' stays on: %s", 409)
export const PlugBusy = defineError<[name: string]>('PRN_ERR_PLUG_BUSY',
  "'%s' is being switched at this moment: try again in half a minute", 409)
export const PlugElsewhere = defineError<[name: string]>('PRN_ERR_PLUG_ELSEWHERE',
  "'%s' is switched by another service, the one that has its printer or where it was added: do it there. " +
  'If that service is gone for good, save the plug once on this one', 409)
export const PlugSilent = defineError<[name: string, reason: string]>('PRN_ERR_PLUG_SILENT',
  "'%s' cannot be reached: %s", 502)
export const PlugUnconfirmed = defineError<[name: string, wanted: string]>('PRN_ERR_PLUG_UNCONFIRMED',
  "'%s' was told to switch %s and has not said that it did: look at the plug itself", 504)
export const PlugDraws = defineError<[name: string, watts: number]>('PRN_ERR_PLUG_STILL_DRAWS',
  "'%s' says that it is off, but %d W are still drawn through it: look at the plug itself", 502)
export const PlugInUse = defineError<[name: string, reason: string]>('PRN_ERR_PLUG_IN_USE',
  "'%s' feeds a printer, and its power could be lost: %s. Change or remove it while the plug is off, or when it may be switched off", 409)
export const PlugKnown = defineError<[other: string]>('PRN_ERR_PLUG_KNOWN',
  "That is the plug '%s', which is here already: change that one", 409)
