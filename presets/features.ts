import alerts from '../plugins/alerts/index.js'
import camera from '../plugins/camera/index.js'
import charts from '../plugins/charts/index.js'
import climate from '../plugins/climate/index.js'
import faults from '../plugins/faults/index.js'
import filament from '../plugins/filament/index.js'
import files from '../plugins/files/index.js'
import hardware from '../plugins/hardware/index.js'
import healthModel from '../plugins/health-model/index.js'
import health from '../plugins/health/index.js'
import management from '../plugins/management/index.js'
import print from '../plugins/print/index.js'
import projects from '../plugins/projects/index.js'
import state from '../plugins/state/index.js'
import system from '../plugins/system/index.js'
import telemetry from '../plugins/telemetry/index.js'

/** The features of every application, whatever its surfaces. */
export const features = [system, filament, state, climate, print, hardware, telemetry, charts, alerts, faults,
  management, files, projects, camera, healthModel, health]
