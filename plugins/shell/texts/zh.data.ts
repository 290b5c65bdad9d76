import type { en } from './en.data.js'

export const zh: Readonly<Record<keyof typeof en, string>> = {
  'shell.skip': '跳到内容',
  'shell.pages': '页面',
  'shell.more': '更多',
  'shell.close': '关闭',
  'shell.counted': '{title}，{number} 条新消息',
  'shell.noscript': '此页面需要 JavaScript。',
  'keys.title': '快捷键',
  'keys.help': '显示此列表',
  'keys.escape': '关闭页面上方的窗口',
  'settings.title': '设置',
  'settings.appearance': '外观',
  'settings.theme': '颜色',
  'settings.theme.system': '跟随系统',
  'settings.theme.light': '浅色',
  'settings.theme.dark': '深色',
  'settings.language': '语言',
  'settings.language.browser': '跟随浏览器',
  'settings.shortcuts': '键盘快捷键',
  'settings.kept': '此浏览器会记住这些选择。',
  'settings.service': '服务',
  'settings.docs': 'HTTP 接口',
  'settings.openapi': 'HTTP 接口描述',
  'settings.login': '登录或退出'
}
