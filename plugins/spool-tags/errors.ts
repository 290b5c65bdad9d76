import { defineError } from '../../core/index.js'

export const NoSpoolForTag = defineError<[id: string]>('PRN_ERR_NO_SPOOL_FOR_TAG',
  "There is no spool '%s' to write a tag for: see the list of spools", 404)
