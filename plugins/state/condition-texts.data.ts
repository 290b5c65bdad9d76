import type { PageTexts } from '../../core/index.js'

/** What each condition of a printer is called, on pages and in pictures. */
export const conditionTexts = {
  en: {
    'condition.error': 'Needs help',
    'condition.failed': 'Failed',
    'condition.paused': 'Paused',
    'condition.stale': 'No news',
    'condition.offline': 'Offline',
    'condition.finished': 'Finished',
    'condition.cancelled': 'Cancelled',
    'condition.printing': 'Printing',
    'condition.preparing': 'Preparing',
    'condition.idle': 'Idle',
    'condition.unwatched': 'Session paused',
    'condition.unknown': 'Unknown'
  },
  de: {
    'condition.error': 'Braucht Hilfe',
    'condition.failed': 'Fehlgeschlagen',
    'condition.paused': 'Pausiert',
    'condition.stale': 'Keine Nachricht',
    'condition.offline': 'Offline',
    'condition.finished': 'Fertig',
    'condition.cancelled': 'Abgebrochen',
    'condition.printing': 'Druckt',
    'condition.preparing': 'Bereitet vor',
    'condition.idle': 'Bereit',
    'condition.unwatched': 'Sitzung pausiert',
    'condition.unknown': 'Unbekannt'
  },
  zh: {
    'condition.error': '需要处理',
    'condition.failed': '失败',
    'condition.paused': '已暂停',
    'condition.stale': '无消息',
    'condition.offline': '离线',
    'condition.finished': '已完成',
    'condition.cancelled': '已取消',
    'condition.printing': '打印中',
    'condition.preparing': '准备中',
    'condition.idle': '空闲',
    'condition.unwatched': '会话已暂停',
    'condition.unknown': '未知'
  }
} satisfies PageTexts
