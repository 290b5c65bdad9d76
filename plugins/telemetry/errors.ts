import { defineError } from '../../core/index.js'

export const FieldRequired = defineError('PRN_ERR_FIELD_REQUIRED', 'field parameter required', 400)
export const UnknownField = defineError<[field: string]>('PRN_ERR_INVALID_FIELD', "Unknown field: '%s'", 400)
export const BadCollection = defineError<[collection: string, plugin: string, problem: string]>(
  'PRN_ERR_COLLECTION', "Collection '%s' of plugin '%s': %s")
