import { defineError } from '../../core/index.js'

export const BadFaultCode = defineError<[code: string]>('PRN_ERR_BAD_FAULT_CODE',
  "'%s' is no code of a fault. Take it from the printer's faults, such as HMS_0300-0100-0001-0007 or HMS_0300-400C", 400)

export const TooManyIgnored = defineError<[printer: string, most: number]>('PRN_ERR_TOO_MANY_IGNORED',
  "'%s' ignores %d faults already, which is the most. Let one of them count again first", 409)
