// Operations that a rule may call, by plugin: a deliberate list, so that a new operation is never open to rules by
// accident. All of them must also be open to the network, and the rule's author must be allowed to call them.

export const CALLABLE: Readonly<Record<string, string>> = {
  camera: 'takeSnapshot',
  climate: 'setBedTarget setChamberTarget setFan setLight setNozzleTarget',
  energy: 'turnOff turnOn', // which check what prints, heats and dries
  filament: 'loadWhenIdle stopDryer unloadWhenIdle', // drying is begun by plans, which know the limits of materials
  history: 'annotate',
  print: 'pause setSpeed stop', // not to resume: somebody may have paused it and have their hands in the printer
  queue: 'add pause update', // not that a plate is clear: a person or a check says that
  recording: 'start stop',
  spools: 'assign change',
  system: 'refresh'
}
