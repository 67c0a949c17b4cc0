// What pages do to be in the way: one script a line.
document.body.innerHTML = ''
document.write('<p>written' + '<b>x'.repeat(50))
document.title = '\x1b[31m<b>title'
location.hash = 'x'
location = 'other.html'
setInterval(() => document.body.append('more '), 5)
alert(1); confirm(2); prompt(3)
document.body.attachShadow({mode: 'closed'}).innerHTML = '<slot></slot><p>shadow'
for (let k = 0; k < 300; k++) document.body.append(document.createElement('iframe'))
document.documentElement.remove()
document.open(); document.write('<p>opened')
Array.prototype.map = Object.keys = JSON.stringify = null
throw new Error('<b>x')
Object.defineProperty(Node.prototype, 'parentNode', {get() { throw 1 }})
Element.prototype.getBoundingClientRect = () => ({x: NaN})
window.stop()
for (let k = 0, e = document.body; k < 2000; k++) e = e.appendChild(document.createElement('i'))
new MutationObserver((x, o) => document.body.append('!')).observe(document.body, {childList: true}); document.body.append('?')
for (let k = 0; k < 20000; k++) console.log('x'.repeat(100))
history.pushState({}, '', '?x')
document.body.style.display = 'none'
document.body.setAttribute('data-x', 'y'.repeat(3e6))
document.body.replaceWith(document.createElement('frameset'))
open('about:blank'); close()
document.body.append('\ud800 \udc00')
customElements.define('custom-element', class extends HTMLElement { connectedCallback() { this.remove() } })
const r = document.createRange(); r.selectNode(document.body); r.deleteContents()
document.body.append(...Array.from({length: 3000}, (_, k) => Object.assign(document.createElement('p'), {textContent: 'row ' + k})))
fetch('missing.txt').then((r) => r.text())
new Worker('data:text/javascript,for(;;);')
requestAnimationFrame(function f() { document.body.style.width = Math.random() * 900 + 'px'; requestAnimationFrame(f) })
document.adoptNode(document.body)
document.designMode = 'on'
navigator.serviceWorker?.register('x.js').catch(() => 0)
