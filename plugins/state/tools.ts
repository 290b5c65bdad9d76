import { tool } from '../../core/index.js'
import {
  readAms, readCapabilities, readClimate, readErrors, readExternalSpools, readFans, readFirmware, readInfo, readJob,
  readLight, readPrinterState, readProgress, readSpools, readTemperatures, readWifi
} from './operations.js'

export default [
  tool(readAms, { name: 'get_ams_status' }),
  tool(readAms, { name: 'get_ams_units', description: 'Same as get_ams_status' }),
  tool(readCapabilities, { name: 'get_capabilities' }),
  tool(readClimate, { name: 'get_climate' }),
  tool(readLight, { name: 'get_chamber_light' }),
  tool(readExternalSpools, { name: 'get_external_spool', description: 'Spools on the external holders 254, 255' }),
  tool(readFans, { name: 'get_fan_speeds' }),
  tool(readFirmware, { name: 'get_firmware_version' }),
  tool(readErrors, { name: 'get_hms_errors', structured: true }),
  tool(readJob, { name: 'get_job_info', shows: 'pictures' }),
  tool(readProgress, { name: 'get_print_progress' }),
  tool(readInfo, { name: 'get_printer_info' }),
  tool(readPrinterState, { name: 'get_printer_state', less: 'one part by a tool such as get_ams_units' }),
  tool(readSpools, { name: 'get_spool_info' }),
  tool(readTemperatures, { name: 'get_temperatures' }),
  tool(readWifi, { name: 'get_wifi_signal' })
]
