import type { en } from './en.data.js'

export const zh: Readonly<Record<keyof typeof en, string>> = {
  'charts.title': '图表',
  'charts.of': '{printer} 的图表',
  'charts.printer': '打印机',
  'charts.refresh': '刷新',
  'charts.loading': '正在加载…',
  'charts.updated': '更新于 {time}',
  'charts.late': '未更新：{reason}。',
  'charts.none': '尚未配置打印机。'
}
