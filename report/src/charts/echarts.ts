// Only those parts of Apache ECharts that the report draws with.

import { BarChart, CustomChart, LineChart } from 'echarts/charts';
import { GridComponent, TitleComponent, TooltipComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';

echarts.use([BarChart, CustomChart, LineChart, GridComponent, TitleComponent, TooltipComponent, CanvasRenderer, SVGRenderer]);

export { echarts };
