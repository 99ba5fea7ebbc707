// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
//
// Looks at each frame of the page that html_browser.sh makes, a page under
// test at one width, and writes what is wrong with it into #result.
'use strict';

const results = [];
let where = '';

function complain(what) {
	if (results.length < 60)
		results.push('FAIL ' + where + ': ' + what);
}

function name_of(element) {
	return (element.textContent || element.tagName).trim().slice(0, 40);
}

// "rgb(1, 2, 3)" to its relative luminance, as WCAG has it.
function luminance(color) {
	const [r, g, b] = color.match(/[\d.]+/g).slice(0, 3).map((part) => {
		const value = part / 255;
		return value <= 0.04045 ? value / 12.92 :
			((value + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
	const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
	return (high + 0.05) / (low + 0.05);
}

function is_seen(element) {
	const box = element.getBoundingClientRect();
	return box.width > 0 && box.height > 0;
}

function overlap(a, b) {
	return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 &&
		Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5;
}

function check_width(doc, width) {
	const root = doc.documentElement;
	if (root.clientWidth !== width)
		complain('laid out at ' + root.clientWidth);
	if (root.scrollWidth > width)
		complain('scrolls sideways to ' + root.scrollWidth);
	for (const box of doc.querySelectorAll('h1, h2, p, li, dl, nav, ' +
	    'figure, .scroll')) {
		const rect = box.getBoundingClientRect();
		if (rect.left < -0.5 || rect.right > width + 0.5)
			complain(name_of(box) + ' sticks out');
	}
}

function check_texts(svg, width) {
	const texts = [...svg.querySelectorAll('text')].filter(is_seen);
	const boxes = texts.map((text) => text.getBoundingClientRect());
	boxes.forEach((box, i) => {
		if (box.left < -0.5 || box.right > width + 0.5)
			complain('label "' + name_of(texts[i]) + '" sticks out');
		for (let j = 0; j < i; j++)
			if (overlap(box, boxes[j]))
				complain('labels "' + name_of(texts[i]) +
					'" and "' + name_of(texts[j]) +
					'" overlap');
	});
}

function check_charts(doc, width) {
	const charts = doc.querySelectorAll('figure svg[role=img]');
	for (const svg of charts) {
		const box = svg.getBoundingClientRect();
		if (box.width < 80 || box.height < 20)
			complain('a chart of ' + box.width + ' by ' + box.height);
		check_texts(svg, width);
		if (!svg.getAttribute('aria-label') ||
		    !svg.querySelector('desc').textContent)
			complain('a chart without a text');
	}
	for (const svg of doc.querySelectorAll('.legend svg'))
		if (!is_seen(svg))
			complain('an empty drawing');
	for (const legend of doc.querySelectorAll('.legend')) {
		const plot = legend.closest('figure').querySelector('.plot');
		if (overlap(legend.getBoundingClientRect(),
		    plot.getBoundingClientRect()))
			complain('a legend lies in the plot');
	}
	return charts.length;
}

// Text needs 4.5 to one, what is drawn 3 to one.
function check_colors(doc, scheme) {
	const view = doc.defaultView;
	const style = (element) => view.getComputedStyle(element);
	const back = style(doc.body).backgroundColor;
	const is_dark = luminance(back) < 0.2;
	if (is_dark !== (scheme === 'dark'))
		complain('background ' + back + ' in a ' + scheme + ' scheme');
	for (const text of doc.querySelectorAll('h1, p:not(.notes p), dt, dd, th, ' +
	    'td:not(.best), figcaption, a'))
		if (contrast(style(text).color, back) < 4.5)
			complain(name_of(text) + ' is hard to read');
	for (const text of doc.querySelectorAll('svg text'))
		if (contrast(style(text).fill, back) < 4.5)
			complain('label ' + name_of(text) + ' is hard to read');
	for (const mark of doc.querySelectorAll('.fill'))
		if (contrast(style(mark).fill, back) < 3)
			complain('a mark in ' + style(mark).fill);
}

function check_whole(doc) {
	JSON.parse(doc.getElementById('data').textContent);
	if (!doc.querySelector('h1').textContent.trim())
		complain('no headline');
	if (doc.querySelectorAll('script').length !== 1)
		complain('more than one script');
	for (const link of doc.querySelectorAll('[src], [href]')) {
		const to = link.getAttribute('href') || link.getAttribute('src');
		if (!/^(#|data:)/.test(to))
			complain('needs ' + to);
		if (to[0] === '#' && !doc.getElementById(to.slice(1)))
			complain('no ' + to);
	}
}

function check_frame(frame) {
	const doc = frame.contentDocument;
	const width = Number(frame.getAttribute('width'));
	where = frame.title + ' at ' + width;
	check_whole(doc);
	check_width(doc, width);
	check_colors(doc, document.body.dataset.scheme);
	results.push('seen ' + where + ': ' + check_charts(doc, width) +
		' charts');
}

window.addEventListener('load', () => {
	for (const frame of document.querySelectorAll('iframe')) {
		try {
			check_frame(frame);
		} catch (error) {
			complain(String(error));
		}
	}
	document.getElementById('result').textContent =
		'\n' + results.join('\n') + '\ndone\n';
});
