import { defineError } from '../../core/index.js'

export const NoRecording = defineError<[id: string]>('PRN_ERR_NO_RECORDING', "There is no recording '%s'", 404)
export const RecordingUnfinished = defineError<[id: string, status: string]>('PRN_ERR_RECORDING_UNFINISHED',
  "Not possible while the status of recording '%s' is %s", 409)
export const TimelapseGoesOn = defineError<[id: string]>('PRN_ERR_TIMELAPSE_GOES_ON',
  "Timelapse '%s' ends with its job. To take no more pictures, set timelapse to off in the settings.", 409)
export const AlreadyRecording = defineError<[printer: string, id: string]>('PRN_ERR_ALREADY_RECORDING',
  "'%s' is being recorded already ('%s'). Stop that recording first, or wait for its end.", 409)
