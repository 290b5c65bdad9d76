import { defineError } from '../../core/index.js'

export const NoSpoolToLabel = defineError<[id: string]>('PRN_ERR_NO_SPOOL_TO_LABEL',
  "There is no spool '%s' to print a label for: see the list of spools", 404)
export const NoSuchPage = defineError<[page: number, pages: number]>('PRN_ERR_NO_LABEL_PAGE',
  'There is no page %s: the labels fill %s', 404)
