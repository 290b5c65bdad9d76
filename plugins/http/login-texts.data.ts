import type { Language } from '../../core/index.js'

const en = {
  needed: 'This service needs its token.',
  login: 'Log in',
  logout: 'Log out',
  nopage: 'There is no such page:',
  home: 'To the start page',
  done: 'This browser is logged in.',
  wrong: 'That is not the token.',
  name: 'Name',
  password: 'Password',
  wrongPassword: 'Name or password is wrong.',
  wait: 'Too many tries. Wait {seconds} seconds.'
}
export type LoginTexts = Readonly<typeof en>

/** Texts of the login page, which cannot load those of other pages. */
export const loginTexts: Readonly<Record<Language, LoginTexts>> = {
  en,
  de: {
    needed: 'Dieser Dienst verlangt sein Token.',
    login: 'Anmelden',
    logout: 'Abmelden',
    nopage: 'Diese Seite gibt es nicht:',
    home: 'Zur Startseite',
    done: 'Dieser Browser ist angemeldet.',
    wrong: 'Das ist nicht das Token.',
    name: 'Name',
    password: 'Passwort',
    wrongPassword: 'Name oder Passwort ist falsch.',
    wait: 'Zu viele Versuche. {seconds} Sekunden warten.'
  },
  zh: {
    needed: '此服务需要令牌。',
    login: '登录',
    logout: '退出登录',
    nopage: '没有这个页面：',
    home: '返回首页',
    done: '此浏览器已登录。',
    wrong: '令牌不正确。',
    name: '用户名',
    password: '密码',
    wrongPassword: '用户名或密码不正确。',
    wait: '尝试次数过多，请等待 {seconds} 秒。'
  }
}
