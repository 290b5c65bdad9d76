import type { Named } from '../../../core/index.js'

type Words = Omit<Named, 'en'>

const TARGET: Words = {
  de: 'Es heizt oder kühlt sofort auf dieses Ziel.',
  zh: '立即加热或冷却到该目标温度。'
}
const QUEUE: Words = { de: 'Wartende Aufträge können danach von selbst zu drucken beginnen.', zh: '之后等待的任务可能会自动开始打印。' }
const FILAMENT: Words = { de: 'Die Düse heizt, und das Filament bewegt sich.', zh: '喷嘴会加热，耗材会移动。' }
const RECORDING: Words = { de: 'Eine Aufnahme beginnt oder endet.', zh: '录制开始或结束。' }
const SPOOL: Words = { de: 'Was über die Spule gespeichert ist, ändert sich.', zh: '所存的料盘信息会改变。' }

/** What operations bring about, in other languages than that of the operations themselves. */
export const CONSEQUENCE_WORDS: Readonly<Record<string, Words>> = {
  'camera.takeSnapshot': { de: 'Die Kamera nimmt ein Bild auf.', zh: '摄像头会拍一张照片。' },
  'climate.setBedTarget': { de: `Bett: ${TARGET.de ?? ''}`, zh: `热床：${TARGET.zh ?? ''}` },
  'climate.setChamberTarget': { de: `Bauraum: ${TARGET.de ?? ''}`, zh: `腔室：${TARGET.zh ?? ''}` },
  'climate.setFan': { de: 'Der Lüfter läuft sofort so schnell.', zh: '风扇立即以该速度运行。' },
  'climate.setLight': { de: 'Das Licht geht sofort an oder aus.', zh: '灯立即打开或关闭。' },
  'climate.setNozzleTarget': { de: `Düse: ${TARGET.de ?? ''}`, zh: `喷嘴：${TARGET.zh ?? ''}` },
  'energy.turnOff': {
    de: 'Was daran hängt, wird stromlos. Nicht, solange sein Drucker druckt, heiß ist, trocknet oder nicht sicher ruht.',
    zh: '所接设备会断电。其打印机正在打印、高温、烘干或状态不明时不会执行。'
  },
  'energy.turnOn': {
    de: 'Was daran hängt, bekommt Strom: Ein Drucker startet, und kann einen Druck fortsetzen wollen.',
    zh: '所接设备会通电：打印机会启动，并可能询问是否继续打印。'
  },
  'filament.loadWhenIdle': FILAMENT,
  'filament.stopDryer': { de: 'Das Trocknen endet sofort.', zh: '烘干立即停止。' },
  'filament.unloadWhenIdle': FILAMENT,
  'history.annotate': { de: 'Die Notiz des Drucks ändert sich.', zh: '打印的备注会改变。' },
  'print.pause': { de: 'Der Druck hält an; die Pause kann man im Teil sehen.', zh: '打印会暂停；模型上可能留下痕迹。' },
  'print.setSpeed': { de: 'Der Druck läuft sofort schneller oder langsamer.', zh: '打印速度立即改变。' },
  'print.stop': { de: 'Der Druck endet und kann nicht fortgesetzt werden.', zh: '打印会结束，且无法继续。' },
  'queue.add': QUEUE,
  'queue.pause': {
    de: 'Dort beginnt nichts Neues, bis ein Mensch fortsetzt oder die Zeit um ist; laufende Drucke gehen weiter. Danach können Drucke sofort beginnen.',
    zh: '在有人恢复或时间结束之前，那里不会开始新的打印；进行中的打印继续。之后打印可能立即开始。'
  },
  'queue.update': QUEUE,
  'recording.start': RECORDING,
  'recording.stop': RECORDING,
  'spools.assign': SPOOL,
  'spools.change': SPOOL,
  'system.refresh': { de: 'Der Drucker sendet einen vollen Bericht.', zh: '打印机会发送完整报告。' }
}
