import { defineError } from '../../core/index.js'

export const BadFaultCode = defineError<[code: string]>('PRN_ERR_BAD_FAULT_CODE',
  "'%s' is not a fault code. Copy it from the printer's faults, such as HMS_0300-0100-0001-0007 or HMS_0300-400C", 400)

export const TooManyIgnored = defineError<[printer: string, most: number]>('PRN_ERR_TOO_MANY_IGNORED',
  "'%s' already ignores %d faults, the maximum. Stop ignoring one of them first", 409)
