import type { PageTexts } from '../../core/index.js'

/** Titles of alert types, on pages and in messages. */
export const alertTexts = {
  en: {
    'alert.job_started': 'Print started',
    'alert.job_finished': 'Print finished',
    'alert.job_failed': 'Print failed',
    'alert.job_cancelled': 'Print cancelled',
    'alert.job_paused': 'Print paused',
    'alert.job_resumed': 'Print resumed',
    'alert.stage_change': 'Stage',
    'alert.hms_error_new': 'Fault',
    'alert.hms_error_cleared': 'Fault cleared',
    'alert.health_escalated': 'The print looks worse',
    'alert.health_recovered': 'The print looks better',
    'alert.plate_needs_clearing': 'The plate needs clearing',
    'alert.queue_blocked': 'The queue needs you',
    'alert.plate_fault': 'The plate in print has a fault',
    'alert.plugin_failed': 'A plugin fails',
    'alert.spool_low': 'A spool runs low'
  },
  de: {
    'alert.job_started': 'Druck begonnen',
    'alert.job_finished': 'Druck fertig',
    'alert.job_failed': 'Druck fehlgeschlagen',
    'alert.job_cancelled': 'Druck abgebrochen',
    'alert.job_paused': 'Druck pausiert',
    'alert.job_resumed': 'Druck läuft weiter',
    'alert.stage_change': 'Abschnitt',
    'alert.hms_error_new': 'Störung',
    'alert.hms_error_cleared': 'Störung behoben',
    'alert.health_escalated': 'Der Druck sieht schlechter aus',
    'alert.health_recovered': 'Der Druck sieht besser aus',
    'alert.plate_needs_clearing': 'Die Platte muss geräumt werden',
    'alert.queue_blocked': 'Die Warteschlange braucht Sie',
    'alert.plate_fault': 'Die Platte im Druck hat einen Fehler',
    'alert.plugin_failed': 'Ein Plugin ist ausgefallen',
    'alert.spool_low': 'Eine Spule geht zur Neige'
  },
  zh: {
    'alert.job_started': '打印已开始',
    'alert.job_finished': '打印完成',
    'alert.job_failed': '打印失败',
    'alert.job_cancelled': '打印已取消',
    'alert.job_paused': '打印已暂停',
    'alert.job_resumed': '打印已继续',
    'alert.stage_change': '阶段',
    'alert.hms_error_new': '故障',
    'alert.hms_error_cleared': '故障已清除',
    'alert.health_escalated': '打印状况变差',
    'alert.health_recovered': '打印状况好转',
    'alert.plate_needs_clearing': '热床需要清空',
    'alert.queue_blocked': '队列需要您处理',
    'alert.plate_fault': '正在打印的盘有问题',
    'alert.plugin_failed': '插件出现故障',
    'alert.spool_low': '料盘即将用完'
  }
} satisfies PageTexts
