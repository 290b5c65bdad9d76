import type { Named } from '../../../core/index.js'

/** What operations do, in words; of others the summary is shown. */
export const OPERATION_WORDS: Readonly<Record<string, Named>> = {
  'camera.takeSnapshot': { en: 'take a picture', de: 'ein Bild aufnehmen', zh: '拍照' },
  'climate.setBedTarget': { en: 'set the temperature of the bed', de: 'die Temperatur des Betts setzen', zh: '设置热床温度' },
  'climate.setChamberTarget': { en: 'set the temperature of the chamber', de: 'die Temperatur der Kammer setzen', zh: '设置机箱温度' },
  'climate.setFan': { en: 'set a fan', de: 'einen Lüfter setzen', zh: '设置风扇' },
  'climate.setLight': { en: 'set the light', de: 'das Licht schalten', zh: '开关灯' },
  'climate.setNozzleTarget': { en: 'set the temperature of the nozzle', de: 'die Temperatur der Düse setzen', zh: '设置喷嘴温度' },
  'energy.turnOff': { en: 'switch a plug off', de: 'eine Steckdose ausschalten', zh: '关闭插座' },
  'energy.turnOn': { en: 'switch a plug on', de: 'eine Steckdose einschalten', zh: '打开插座' },
  'filament.loadWhenIdle': { en: 'load filament', de: 'Filament laden', zh: '装载耗材' },
  'filament.stopDryer': { en: 'stop drying', de: 'das Trocknen beenden', zh: '停止烘干' },
  'filament.unloadWhenIdle': { en: 'unload filament', de: 'Filament entladen', zh: '退出耗材' },
  'history.annotate': { en: 'add a note to a print', de: 'einen Druck mit einer Notiz versehen', zh: '为打印添加备注' },
  'print.pause': { en: 'pause the print', de: 'den Druck anhalten', zh: '暂停打印' },
  'print.setSpeed': { en: 'set the speed', de: 'die Geschwindigkeit setzen', zh: '设置速度' },
  'print.stop': { en: 'cancel the print', de: 'den Druck abbrechen', zh: '取消打印' },
  'queue.add': { en: 'add a job to the queue', de: 'einen Auftrag in die Warteschlange stellen', zh: '将任务加入队列' },
  'queue.pause': { en: 'pause the queue', de: 'die Warteschlange anhalten', zh: '暂停队列' },
  'queue.update': { en: 'change a job of the queue', de: 'einen Auftrag der Warteschlange ändern', zh: '更改队列任务' },
  'recording.start': { en: 'start a recording', de: 'eine Aufnahme starten', zh: '开始录制' },
  'recording.stop': { en: 'stop a recording', de: 'eine Aufnahme beenden', zh: '停止录制' },
  'spools.assign': { en: 'say which spool is in a slot', de: 'sagen, welche Spule in einem Fach ist', zh: '指定槽位中的料盘' },
  'spools.change': { en: 'change a spool', de: 'eine Spule ändern', zh: '更改料盘' },
  'system.refresh': { en: 'request a report', de: 'einen Bericht anfordern', zh: '请求状态报告' }
}
