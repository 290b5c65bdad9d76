// Operations that a rule may call, by plugin: a deliberate list, so that a new operation is never open to rules by
// accident. All of them must also be open to the network, and the rule's author must be allowed to call them.

export const CALLABLE: Readonly<Record<string, string>> = {
  camera: 'takeSnapshot',
  climate: 'setBedTarget setChamberTarget setFan setLight setNozzleTarget',
  energy: 'turnOff turnOn', // which check what prints, heats and dries
  filament: 'loadWhenIdle startDryer stopDryer unloadWhenIdle',
  hardware: 'setDetector setFirstLayer setPrintOptions',
  history: 'annotate',
  print: 'pause resume setSpeed stop', // none that is not checked
  queue: 'add pause update', // not that a plate is clear: a person or a check says that
  recording: 'start stop',
  spools: 'assign change',
  system: 'refresh'
}
