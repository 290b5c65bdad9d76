import type { Machine } from '../machine/types.js'
import type { Request } from '../request.js'
import { calibration } from './calibration.js'
import { camera } from './camera.js'
import { climate } from './climate.js'
import { detectors } from './detectors.js'
import { dryer } from './dryer.js'
import { filament } from './filament.js'
import { gcodeLine } from './gcode.js'
import { job } from './job.js'
import { nozzles } from './nozzle.js'
import { options } from './options.js'
import { projectFile } from './project.js'
import type { Handler, Handlers, Reply } from './reply.js'
import { rename, system } from './system.js'
import { tray } from './tray.js'

const SECTIONS: Readonly<Record<string, Handlers>> = {
  print: {
    gcode_line: gcodeLine,
    project_file: projectFile,
    ...job,
    ...climate,
    ...filament,
    ...tray,
    ...dryer,
    ...calibration,
    ...options,
    ...nozzles
  },
  system,
  camera,
  xcam: detectors
}

const handlerOf = ({ section, command }: Request): Handler | undefined => {
  if (section === 'update') return rename
  const handlers = Object.hasOwn(SECTIONS, section) ? SECTIONS[section] : undefined
  return handlers !== undefined && Object.hasOwn(handlers, command) ? handlers[command] : undefined
}

/** Obeys one request; undefined when the printer does not know it or never answers it. */
export const obey = (m: Machine, request: Request): Reply | undefined => handlerOf(request)?.(m, request.body)
