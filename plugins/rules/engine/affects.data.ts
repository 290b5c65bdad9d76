// Events and values that an operation can bring about, by the beginning of their names. Operations that are not listed
// may bring about everything except what only people and time do.

const PRINT = ['print', 'printer.state', 'queue', 'plate', 'alert', 'bed', 'nozzle', 'chamber', 'fan', 'faults', 'prints', 'monitor', 'recording', 'spool', 'energy', 'plug', 'power', 'maintenance', 'night', 'plate-change', 'mqtt']

export const AFFECTS: Readonly<Record<string, readonly string[]>> = {
  'camera.takeSnapshot': [],
  'climate.setBedTarget': ['bed', 'energy', 'plug', 'power', 'alert', 'faults', 'mqtt'],
  'climate.setChamberTarget': ['chamber', 'energy', 'plug', 'power', 'alert', 'faults', 'mqtt'],
  'climate.setFan': ['fan', 'mqtt'],
  'climate.setLight': ['light', 'mqtt'],
  'climate.setNozzleTarget': ['nozzle', 'energy', 'plug', 'power', 'alert', 'faults', 'mqtt'],
  'history.annotate': [],
  message: [],
  'print.pause': PRINT,
  'print.setSpeed': [],
  'print.stop': PRINT,
  'recording.start': ['recording'],
  'recording.stop': ['recording'],
  'system.refresh': []
}

// What an operation brings about by itself, however long that takes: a rule that begins with it would run for ever.
// Narrower than above, since a rule is refused for it.

const NEXT_PRINT = ['queue', 'print', 'prints', 'printer.state', 'plate', 'spool', 'recording', 'maintenance', 'plug', 'power', 'bed', 'nozzle', 'chamber', 'fan', 'monitor']

export const BRINGS_ABOUT: Readonly<Record<string, readonly string[]>> = {
  'climate.setBedTarget': ['bed', 'plug.watts', 'power'],
  'climate.setChamberTarget': ['chamber', 'plug.watts', 'power'],
  'climate.setFan': ['fan'],
  'climate.setLight': ['light'],
  'climate.setNozzleTarget': ['nozzle', 'plug.watts', 'power'],
  'energy.turnOff': ['plug', 'power', 'printer.connected', 'printer.lost'],
  'energy.turnOn': ['plug', 'power', 'printer', 'light', 'fan'],
  'filament.loadWhenIdle': ['nozzle', 'printer.state', 'faults'],
  'filament.stopDryer': ['drying'],
  'filament.unloadWhenIdle': ['nozzle', 'printer.state', 'faults'],
  'print.pause': ['print.paused', 'printer.state'],
  'print.stop': ['print.ended', 'printer.state', 'prints', 'queue'],
  'queue.add': NEXT_PRINT,
  'queue.pause': NEXT_PRINT,
  'queue.update': NEXT_PRINT,
  'recording.start': ['recording'],
  'recording.stop': ['recording'],
  'spools.assign': ['spool'],
  'spools.change': ['spool']
}
