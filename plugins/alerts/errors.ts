import { defineError } from '../../core/index.js'

export const BadAlertRule = defineError<[rule: string, plugin: string, problem: string]>('PRN_ERR_ALERT_RULE',
  "Alert rule '%s' of plugin '%s': %s")
