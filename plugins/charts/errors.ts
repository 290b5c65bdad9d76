import { defineError } from '../../core/index.js'

export const BadChart = defineError<[panel: string, plugin: string, problem: string]>(
  'PRN_ERR_CHART', "Chart '%s' of plugin '%s': %s")
/** For a session without a single report, which callers see as a printer that is not connected. */
export const NothingRecorded = defineError<[printer: string]>(
  'PRN_ERR_NOTHING_RECORDED', "Printer '%s' not connected", 200)
