// Events and values that an operation can bring about, by the beginning of their names. Operations that are not listed
// may bring about everything except what only people and time do.

const PRINT = ['print', 'printer.state', 'queue', 'plate', 'alert', 'bed', 'nozzle', 'chamber', 'fan', 'faults', 'prints', 'monitor', 'recording', 'spool', 'energy', 'maintenance', 'night', 'plate-change', 'mqtt']

export const AFFECTS: Readonly<Record<string, readonly string[]>> = {
  'camera.takeSnapshot': [],
  'climate.setBedTarget': ['bed', 'energy', 'alert', 'faults', 'mqtt'],
  'climate.setChamberTarget': ['chamber', 'energy', 'alert', 'faults', 'mqtt'],
  'climate.setFan': ['fan', 'mqtt'],
  'climate.setLight': ['light', 'mqtt'],
  'climate.setNozzleTarget': ['nozzle', 'energy', 'alert', 'faults', 'mqtt'],
  'history.annotate': [],
  message: [],
  'print.pause': PRINT,
  'print.resume': PRINT,
  'print.setSpeed': [],
  'print.stop': PRINT,
  'recording.start': ['recording'],
  'recording.stop': ['recording'],
  'system.refresh': []
}
