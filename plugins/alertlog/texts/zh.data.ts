import type { en } from './en.data.js'

export const zh: Readonly<Record<keyof typeof en, string>> = {
  'alerts.title': '警报',
  'alerts.printer': '打印机',
  'alerts.all': '全部',
  'alerts.open': '仅显示新的',
  'alerts.acknowledge': '确认',
  'alerts.acknowledge.all': '全部确认',
  'alerts.none': '没有警报。',
  'alerts.more': '显示更多',
  'alerts.failed': '未完成：{reason}。',
  'alerts.count.one': '1 条新警报',
  'alerts.count.other': '{count} 条新警报',
  'alerts.of': '{what}：{printer}',
  'alerts.seen': '{time} 已确认（{who}）',
  'alerts.by.name': '{name}',
  'alerts.by.local': '本机',
  'alerts.by.network': '网络',
  'alerts.by.token': '令牌',
  'alerts.clip': '播放片段',
  'alerts.go': '查看打印机'
}
