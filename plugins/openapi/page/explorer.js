// The standalone explorer links back to the other pages.

if (window.top === window) {
  const home = document.createElement('a')
  home.className = 'home'
  home.href = '../../'
  home.textContent = '← prnd'
  document.body.prepend(home)
}
